/** The marble specs of streams, drawn as wide as the terminal of the specs. */
import { DEFAULT_COLUMNS } from '../streams/marbles/drawMismatch';
import {
  alignMarbles as align,
  assertWithin,
  marbles as marblesWithin,
  type TimedEvent,
} from '../streams/marbles/marbles';

/** The body of a test, run under virtual time. Throws MarbleError if a stream does not match its marbles. */
export const marbles = (body: Parameters<typeof marblesWithin>[0]): (() => void) =>
  marblesWithin(body, () => terminalColumns());

/** The assertion of `marbles`, for a TestScheduler of your own. */
export const assertMarbles = /* @__PURE__ */ assertWithin(() => terminalColumns());

/** Two timelines of RxJS's TestScheduler below each other, the first difference marked and shown in JSON; '' when they are the same. */
export const alignMarbles = (actual: readonly TimedEvent[], expected: readonly TimedEvent[]): string =>
  align(actual, expected, { columns: terminalColumns() });

/** The columns of stdout, otherwise of the environment, as a runner gives its workers no terminal; 80 if neither is known. */
export const terminalColumns = ({
  stdout,
  env,
}: {
  stdout: { columns?: number };
  env: Readonly<Record<string, string | undefined>>;
} = process): number => Math.max(LEAST, stdout.columns || Number(env.COLUMNS) || DEFAULT_COLUMNS);

/** Columns; narrower output cannot be read. */
const LEAST = 40;
