/** Owns the way from a command line to a command; what a command does not need is not loaded for it. */
import { defaults } from './options';
import { serveProcess } from './serveProcess';

/** Runs the program; `argv` is what stands behind its name. */
export const main = (argv: readonly string[]): void => {
  const args = isBare(argv) ? defaults() : (require('./parseServe') as typeof import('./parseServe')).parseServe(argv);
  if (args) serveProcess(args);
  else void (require('./commands') as typeof import('./commands')).commands(argv);
};

const isBare = ([command, ...rest]: readonly string[]): boolean =>
  rest.length === 0 && (command === undefined || command === 'mcp-server');
