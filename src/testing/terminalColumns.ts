/** The columns of the terminal that the specs run in. */
import { DEFAULT_COLUMNS } from '../marbles';

/** Less than this cannot be read. */
const LEAST = 40;

/** Of stdout, else what the environment names, as a runner gives its workers no terminal; 80 where there is none. */
export const terminalColumns = ({
  stdout,
  env,
}: {
  stdout: { columns?: number };
  env: NodeJS.ProcessEnv;
} = process): number => Math.max(LEAST, stdout.columns || Number(env.COLUMNS) || DEFAULT_COLUMNS);
