/** Sorts notifications into kinds, so that each kind has a lane. */
import { eventTypeOf } from '../session/pairingKey';

/** The name of a notification: the type of the event inside, else its method without the prefix that all share. */
export const nameOf = (method: string, params: unknown): string =>
  eventTypeOf(params) || method.replace(/^(notifications|codex\/event)\//, '') || method;

/** A kind is the title of a lane, so a longer one is cut. */
const MAX_KIND = 60;

/** The kind of a name: `exec` of `exec_command_begin`, `item` of `item/started`. */
export const kindOf = (name: string): string =>
  (name.split(/[/_]/).find((part) => part !== '') ?? name).slice(0, MAX_KIND);

/** Where there are more kinds than this, the rarest share a lane. */
const MAX_KINDS = 8;
/** The kind of the rare notifications that share a lane. */
export const OTHER_KIND = 'other';

/** The kinds that get lanes of their own: those that come most often. @param counts messages by kind */
export const kindsWithLane = (counts: ReadonlyMap<string, number>): ReadonlySet<string> => {
  const kinds = [...counts].sort(([, a], [, b]) => b - a).map(([kind]) => kind);
  return new Set(kinds.length <= MAX_KINDS ? kinds : kinds.slice(0, MAX_KINDS - 1));
};
