/** From a command line to a command. What a command does not need is not loaded for it. Own code: yargs takes longer to load than the server to start. */
import { version } from '../../package.json';
import { lazy } from '../streams/lazy';
import { nearest } from '../streams/text/nearest';
import { ALIASES, COMMANDS, DEFAULT_COMMAND } from './commands';
import { exitWhenWritten, failAs, keepOutputErrors, remarkAs } from './ending';
import { exitCode } from './exitCode';
import type { Page } from './help';
import type { Options } from './option';
import { SERVE_OPTIONS } from './serve/options';
import { print } from './terminal';

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
      if (name === DEFAULT_COMMAND && process.stdin.isTTY) print(HINT, process.stderr);
      prepared.run();
      break;
    case 'help':
      help().showHelp(pageOf(name, argv));
      exitWhenWritten(name)();
      break;
    case 'version':
      print(`${version}\n`);
      exitWhenWritten(name)();
      break;
    case 'problem':
      refuse(prepared.problem, name);
  }
};

/** `--help all` and `--help man` are of the whole program. */
const pageOf = (name: string, argv: readonly string[]): Page => {
  if (argv.includes(name)) return { kind: 'command', name };
  const kind = (['all', 'man'] as const).find((one) => argv.includes(one));
  return { kind: kind ?? 'short' };
};

const refuse = (problem: string, name: string): void => {
  const shown = name === DEFAULT_COMMAND ? '' : name;
  remarkAs(shown)(problem);
  print(`See ${['codex-rx', shown, '--help'].filter(Boolean).join(' ')}\n`, process.stderr);
  process.exitCode = exitCode.unusable;
};

/** The command, and the command line without its name. */
type Found = { name: string; rest: string[] };

const valueFlags = (options: Options): Set<string> =>
  new Set(
    Object.entries(options).flatMap(([name, { type, alias }]) =>
      type === 'boolean' ? [] : [`--${name}`, ...(alias === undefined ? [] : [`-${alias}`])],
    ),
  );

/** The place of the first word that is neither an option nor the value of one; options of the server may come before it. */
const wordIn = (argv: readonly string[]): number => {
  const takesValue = valueFlags(SERVE_OPTIONS);
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.findIndex((word, at) => !word.startsWith('-') && !(at > 0 && takesValue.has(words[at - 1] ?? '')));
};

/** What `codex mcp` does in later releases than 0.28.0. */
const MANAGES_SERVERS = /^(?:add|get|remove)$/;
/** The actions that `codex-rx mcp` has, and its help: `codex-rx mcp` without one of these is the server, as in 0.28.0. */
const LOGS_IN = /^(?:list|login|logout|-h|--help)$/;

/** What else the Codex CLI does. Source: `codex --help` of 0.28.0, 0.142.0 and 0.169.0. */
const OF_CODEX =
  /^(?:agents|app|app-server|apply|archive|cloud|debug|delete|exec|execpolicy|features|migrate-nfs-db|migrate-rollouts|plugin|proto|queue|remote-control|resume|review|sandbox|unarchive|update)$/;
/** Short names of `exec`, `proto` and `apply`; only as the first word, as after an option they may be its value. */
const SHORT_OF_CODEX = /^[epa]$/;
/** Commands of the Codex CLI whose options do the same here. */
const AS_OPTION: ReadonlyMap<string, string> = new Map([
  ['help', '--help'],
  ['version', '--version'],
]);

/** Names of commands in other programs, to suggest ours. */
const MEANT: ReadonlyMap<string, string> = new Map([
  ['server', 'mcp-server'],
  ['serve', 'mcp-server'],
  ['start', 'mcp-server'],
  ['sessions', 'threads'],
  ['conversations', 'threads'],
  ['history', 'threads'],
  ['auth', 'login'],
  ['status', 'doctor'],
  ['settings', 'config'],
]);

/** The command of a command line; the server if none is named. A string is the reason why there is none. */
export const findCommand = (argv: readonly string[]): Found | string => {
  const at = wordIn(argv);
  const word = argv[at];
  if (word === undefined) return { name: DEFAULT_COMMAND, rest: [...argv] };
  const option = at === 0 ? AS_OPTION.get(word) : undefined;
  if (option !== undefined) return asOption(option, argv[1]);
  if (word === 'mcp' && LOGS_IN.test(argv[at + 1] ?? '')) return { name: word, rest: argv.toSpliced(at, 1) };
  if (word === 'mcp' && MANAGES_SERVERS.test(argv[at + 1] ?? '')) {
    return `mcp_servers is not changed here: run codex mcp ${argv[at + 1]}, or edit mcp_servers in config.toml`;
  }
  if (word === 'mcp' && /^[^-]/.test(argv[at + 1] ?? '')) {
    return `${argv[at + 1]} is not an action of mcp; there are list, login, logout`;
  }
  const name = ALIASES[word] ?? word;
  if (Object.hasOwn(COMMANDS, name)) return { name, rest: argv.toSpliced(at, 1) };
  if (OF_CODEX.test(word) || (at === 0 && SHORT_OF_CODEX.test(word)))
    return `${word} is a command of the Codex CLI: run codex ${word}; codex-rx is its mcp-server`;
  if (at > 0) return { name: DEFAULT_COMMAND, rest: [...argv] }; // an option before it is the likelier mistake
  return unknownCommand(word, argv.slice(1));
};

/** Help, of the command that is named, or the version. */
const asOption = (option: string, name: string | undefined): Found | string => {
  if (name === undefined) return { name: DEFAULT_COMMAND, rest: [option] };
  const found = findCommand([name]);
  return typeof found === 'string' ? found : { ...found, rest: [option] };
};

const unknownCommand = (word: string, others: readonly string[]): string => {
  if (/\s/.test(word)) return 'a prompt needs a command: codex-rx run PROMPT';
  const near = MEANT.get(word) ?? nearest(word, Object.keys(COMMANDS));
  if (near !== undefined) return `${word} is not a command; did you mean ${near}?`;
  const isPrompt = others.length > 0 && !others.some((other) => other.startsWith('-'));
  return `${word} is not a command${isPrompt ? '; a prompt needs one: codex-rx run PROMPT' : ''}`;
};
