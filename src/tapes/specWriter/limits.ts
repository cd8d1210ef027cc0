/** Writes how long a spec waits for a server, by how long the recorded one took. */
import type { RecordedPace } from './paceOf';

/** What a session waits by default; see docs/testing.md. */
const [LIMIT_MS, SETTLE_MS] = [5_000, 1_000];

/** The default plus three times the recorded time, rounded up to whole seconds. */
const toLimit = (recordedMs: number, defaultMs: number): string =>
  `${Math.ceil((defaultMs + 3 * recordedMs) / 1_000)}_000`;

/** The options of a session, after its server, where the recorded one took more than half of the default. */
export const toSessionOptions = ({ silentMs, endMs }: RecordedPace): string => {
  const limits = [
    ...(2 * silentMs > LIMIT_MS ? [`limitMs: ${toLimit(silentMs, LIMIT_MS)}`] : []),
    ...(2 * endMs > SETTLE_MS ? [`settleMs: ${toLimit(endMs, SETTLE_MS)}`] : []),
  ];
  return limits.length === 0 ? '' : `, { ${limits.join(', ')} }`;
};

/** The limit of a test; undefined where `defaultMs`, that of the runner, is enough. */
export const toTestLimit = ({ totalMs }: RecordedPace, defaultMs: number): string | undefined =>
  2 * totalMs <= defaultMs ? undefined : toLimit(totalMs, LIMIT_MS);
