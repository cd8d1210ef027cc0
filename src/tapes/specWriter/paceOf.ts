/** Measures how long a recorded session took, so that its spec waits long enough. */
import type { SessionIndex } from '../session/sessionIndex';

/** How long a session took. */
export type RecordedPace = {
  /** The whole session. */
  totalMs: number;
  /** The longest silence before a line of the server. */
  silentMs: number;
  /** How long the server took to end. */
  endMs: number;
};

/** No time at all. */
export const NO_PACE: RecordedPace = { totalMs: 0, silentMs: 0, endMs: 0 };

/** The times of a session on the wire of MCP. */
export const paceOf = ({ entries }: SessionIndex): RecordedPace => {
  const first = entries[0]?.entry.t ?? 0;
  const wire = entries.filter(({ entry: { dir, seam } }) => seam === undefined && (dir === 'in' || dir === 'out'));
  const ended = entries.find(({ entry }) => entry.dir === 'exit');
  const waits = wire.map(({ entry }, at) => (entry.dir === 'out' ? entry.t - (wire[at - 1]?.entry.t ?? first) : 0));
  const lastMs = entries.findLast((one) => one !== ended)?.entry.t ?? first;
  return {
    totalMs: (entries.at(-1)?.entry.t ?? 0) - first,
    silentMs: waits.reduce((longest, ms) => Math.max(longest, ms), 0),
    endMs: ended === undefined ? 0 : Math.max(0, ended.entry.t - lastMs),
  };
};

/** The longest times of several sessions. */
export const longestOf = (paces: readonly RecordedPace[]): RecordedPace =>
  paces.reduce(
    (longest, { totalMs, silentMs, endMs }) => ({
      totalMs: Math.max(longest.totalMs, totalMs),
      silentMs: Math.max(longest.silentMs, silentMs),
      endMs: Math.max(longest.endMs, endMs),
    }),
    NO_PACE,
  );
