/** The help texts and the shell completion, which yargs writes from the table of commands. */
import type { Argv } from 'yargs';
import { lazy } from '../streams/lazy';
import { COMMANDS, DEFAULT_COMMAND } from './commands';
import type { Option } from './option';
import { print } from './terminal';

/** The whole of yargs takes longer to load than the server takes to start. */
const yargs = lazy(() => require('yargs') as typeof import('yargs').default);

const MAX_WIDTH = 100;

const USAGE = `$0 [command]

Serves a Codex agent as the MCP tools codex and codex-reply over stdio, for IDEs and other agents.
Without a command it is the server, and waits for an MCP client on its input.`;

const EPILOGUE = `Exit codes: 0 all went well, 1 something failed, 2 the command line cannot be used.
Settings come from config.toml in $CODEX_HOME or ~/.codex.
Docs: README.md and docs/ in the package (clients, configuration, approvals, protocol).`;

/** Writes the help of a command, or of the program if none is named, to stdout. */
export const showHelp = (command: string | undefined): void => {
  const argv = command === undefined ? ['--help'] : [command, '--help'];
  parserOf(argv, toShort).parse(argv, (_error: unknown, _values: unknown, text: string) => {
    const names = Object.keys(COMMANDS[command ?? DEFAULT_COMMAND]?.load().options ?? {});
    print(`${names.reduce(withLongFlag, text)}\n`);
  });
};

/** Writes the script for shell completion, or what it asks for while a line is typed. */
export const complete = (argv: readonly string[]): void => {
  parserOf(argv, (name) => name).parse();
};

/** A longer flag than this would be broken over lines, and makes its column wide. */
const MAX_FLAG = 24;

/** What yargs lays out in place of a long flag. */
const toShort = (name: string): string => name.slice(0, MAX_FLAG);

/** A flag that was shortened has a line of its own, above its text. */
const withLongFlag = (text: string, name: string): string =>
  name.length <= MAX_FLAG
    ? text
    : text.replace(
        new RegExp(`^( *)--${toShort(name)}( +)`, 'm'),
        (start, indent: string) => `${indent}--${name}\n${' '.repeat(start.length)}`,
      );

type ToKey = (name: string) => string;

const parserOf = (argv: readonly string[], toKey: ToKey): Argv => {
  const program = Object.entries(COMMANDS).reduce<Argv>(
    (all, [name, { words, summary }]) =>
      all.command(
        [[name, words].filter(Boolean).join(' '), ...(name === DEFAULT_COMMAND ? ['$0'] : [])],
        summary,
        (one) => describe(one, name, toKey),
      ),
    yargs()([...argv])
      .scriptName('codex-rx')
      .usage(USAGE),
  );
  return program
    .completion('completion', 'Print a script for shell completion')
    .version(false)
    .option('version', { alias: 'v', type: 'boolean', describe: 'Print the version' })
    .help()
    .alias('help', 'h')
    .epilogue(EPILOGUE)
    .wrap(Math.min(MAX_WIDTH, process.stdout.columns || 80));
};

/** Adds the help of one command. */
const describe = (program: Argv, name: string, toKey: ToKey): Argv => {
  const { usage, positionals, options, examples, epilogue } = COMMANDS[name]?.load() ?? {};
  const described = Object.entries(positionals ?? {}).reduce(
    (all, [word, { type, describe: text }]) => all.positional(word, { type, describe: text }),
    program,
  );
  const shown = name === DEFAULT_COMMAND ? described : described.usage(usage ?? '').epilogue(epilogue ?? '');
  return shown
    .options(toYargs(options ?? {}, toKey))
    .example((examples ?? []).map(([line, meaning]) => [line, meaning]));
};

const toYargs = (options: Readonly<Record<string, Option>>, toKey: ToKey): Record<string, object> =>
  Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      toKey(name),
      { ...option, requiresArg: option.type !== 'boolean' },
    ]),
  );
