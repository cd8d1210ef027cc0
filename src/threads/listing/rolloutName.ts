/** The names of rollouts, which hold when a thread began and its id. */

/** `startedMs` is in ms since 1970, with the precision of a second. */
export type RolloutName = { id: string; startedMs: number };

const NAME = /^rollout-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-([0-9a-f-]{36})\.jsonl$/i;

/** Reads the name of a file; undefined where it is not that of a rollout. */
export const readRolloutName = (name: string): RolloutName | undefined => {
  const [, date, hours, minutes, seconds, id] = NAME.exec(name) ?? [];
  if (id === undefined) return undefined;
  const startedMs = Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`);
  return Number.isNaN(startedMs) ? undefined : { id: id.toLowerCase(), startedMs };
};

/**
 * The name of a rollout, and the folders that it is in below `sessions`, such as `['2026', '11', '22']`. Times are UTC.
 * Source: Codex 0.28.0 to 0.169.0, which write the local time.
 */
export const toRolloutName = ({ id, startedMs }: RolloutName): { folders: string[]; name: string } => {
  const time = new Date(startedMs).toISOString().slice(0, 19);
  return { folders: time.slice(0, 10).split('-'), name: `rollout-${time.replaceAll(':', '-')}-${id}.jsonl` };
};
