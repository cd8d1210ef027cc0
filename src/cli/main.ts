/** Owns the way from a command line to a command. */
import { parseServe } from './parseServe';
import { serveProcess } from './serveProcess';

/** Runs the program; `argv` is what stands behind its name. */
export const main = (argv: readonly string[]): void => {
  const args = parseServe(argv);
  if (args) serveProcess(args);
  else void (require('./commands') as typeof import('./commands')).commands(argv);
};
