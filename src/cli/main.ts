/** Owns the way from a command line to a command; what a command does not need is not loaded for it. */
import { version } from '../../package.json';
import { defaults } from './options';
import { serveProcess } from './serveProcess';

/** A session to itself, for the build. */
export const rehearse = (): Promise<void> =>
  (require('../app/rehearsal') as typeof import('../app/rehearsal')).rehearse({ dist: __dirname, version });

/** Runs the program; `argv` is what stands behind its name. */
export const main = (argv: readonly string[]): void => {
  if (isBare(argv) && process.stdin.isTTY) process.stderr.write(HINT);
  const args = isBare(argv) ? defaults() : (require('./parseServe') as typeof import('./parseServe')).parseServe(argv);
  if (args) serveProcess(args);
  else void (require('./commands') as typeof import('./commands')).commands(argv);
};

/** For a person who started it by hand; a client's input is no terminal. */
const HINT = `codex-rx serves MCP on stdin and stdout: an MCP client starts it and talks to it. It waits for one now.
To see it work: codex-rx demo    For help: codex-rx --help    To stop: Ctrl-C
`;

const isBare = ([command, ...rest]: readonly string[]): boolean =>
  rest.length === 0 && (command === undefined || command === 'mcp-server');
