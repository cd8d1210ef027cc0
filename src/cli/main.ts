/** From a command line to a command. What a command does not need is not loaded for it. */
import { version } from '../../package.json';
import { lazy } from '../streams/lazy';
import { COMMANDS, DEFAULT_COMMAND } from './commands';
import { exitWhenWritten, failAs, keepOutputErrors } from './ending';
import { exitCode } from './exitCode';
import { type Found, findCommand } from './findCommand';

const help = lazy(() => require('./help') as typeof import('./help'));

/** Shown to a person who started the server by hand; the input of a client is no terminal. */
const HINT = `codex-rx serves MCP on stdin and stdout: an MCP client starts it and talks to it. It waits for one now.
To see it work: codex-rx demo    For help: codex-rx --help    To stop: Ctrl-C
`;

/** Runs the program; `argv` is what follows its name. */
export const main = (argv: readonly string[]): void => {
  keepOutputErrors();
  if (argv[0] === 'completion' || argv.includes('--get-yargs-completions')) {
    help().complete(argv);
    return;
  }
  const found = findCommand(argv);
  if (typeof found === 'string') refuse(found, DEFAULT_COMMAND);
  else tryCommand(found, argv);
};

const tryCommand = (found: Found, argv: readonly string[]): void => {
  try {
    runCommand(found, argv);
  } catch (error) {
    failAs(found.name)(error as Error);
  }
};

const runCommand = ({ name, rest }: Found, argv: readonly string[]): void => {
  const prepared = COMMANDS[name]?.load().prepare(rest) ?? { kind: 'help' };
  switch (prepared.kind) {
    case 'ready':
      if (name === DEFAULT_COMMAND && rest.length === 0 && process.stdin.isTTY) process.stderr.write(HINT);
      prepared.run();
      break;
    case 'help':
      help().showHelp(argv.includes(name) ? name : undefined);
      exitWhenWritten(name)();
      break;
    case 'version':
      process.stdout.write(`${version}\n`);
      exitWhenWritten(name)();
      break;
    case 'problem':
      refuse(prepared.problem, name);
  }
};

const refuse = (problem: string, name: string): void => {
  process.stderr.write(`${problem}\nSee codex-rx ${name === DEFAULT_COMMAND ? '' : `${name} `}--help.\n`);
  process.exitCode = exitCode.unusable;
};
