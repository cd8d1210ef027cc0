/** The columns of the terminal that the specs run in. */
import { DEFAULT_COLUMNS } from '../streams/marbles/drawMismatch';

/** The columns of stdout, otherwise of the environment, as a runner gives its workers no terminal; 80 if neither is known. */
export const terminalColumns = ({
  stdout,
  env,
}: {
  stdout: { columns?: number };
  env: NodeJS.ProcessEnv;
} = process): number => Math.max(LEAST, stdout.columns || Number(env.COLUMNS) || DEFAULT_COLUMNS);

/** Columns; narrower output cannot be read. */
const LEAST = 40;
