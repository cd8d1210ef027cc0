/** Reads the words of a command line as the values of options, with the small parser of yargs. */
import parse from 'yargs-parser';
import { nearest } from '../streams/text/nearest';
import { defaultsOf, isList, type Options, toFlag } from './option';

export type Line = {
  /** By the long names of the options, defaults included; not checked. */
  values: Record<string, unknown>;
  /** The long names of the options that are written on it. */
  named: ReadonlySet<string>;
  /** Words that are no options, in order. */
  words: string[];
  /** What follows `--`. */
  command?: string[];
};

/** Options of every command; -V is as in the Codex CLI. */
const GLOBAL = { help: ['h'], version: ['v', 'V'] };

/** Reads a command line; a string is the reason why it cannot be read. --help and --version are among the values. */
export const readArguments = (options: Options, argv: readonly string[]): Line | string => {
  const { argv: parsed, error } = parse.detailed(
    joinDashed(options, splitAttached(options, argv)),
    settingsOf(options),
  );
  if (error !== null) return error.message;
  const { _: words, '--': command, ...values } = parsed;
  const known = [...Object.keys(options), ...Object.keys(GLOBAL)];
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  if (unknown !== undefined) return unknownText(unknown, known);
  const named = new Set(Object.keys(values));
  return {
    values: { ...defaultsOf(options), ...values },
    named,
    words: words.map(String),
    ...(command && { command: command.map(String) }),
  };
};

const unknownText = (name: string, known: readonly string[]): string => {
  const near = name.length === 1 ? undefined : nearest(name, known);
  return `${toFlag(name)} is not an option${near === undefined ? '' : `; did you mean ${toFlag(near)}?`}`;
};

const namesOf = (options: Options, fits: (option: Options[string]) => boolean): string[] =>
  Object.entries(options).flatMap(([name, option]) => (fits(option) ? [name] : []));

const aliasesOf = (options: Options): Record<string, string> =>
  Object.fromEntries(
    Object.entries(options).flatMap(([name, { alias }]) => (alias === undefined ? [] : [[name, alias]])),
  );

const takesValue = ({ type }: Options[string]): boolean => type !== 'boolean';

const settingsOf = (options: Options): Parameters<typeof parse.detailed>[1] & { __: typeof errorText } => ({
  string: namesOf(options, ({ type }) => type === 'string'),
  number: namesOf(options, ({ type }) => type === 'number'),
  boolean: [...namesOf(options, ({ type }) => type === 'boolean'), ...Object.keys(GLOBAL)],
  array: namesOf(options, isList),
  narg: Object.fromEntries(namesOf(options, takesValue).map((name) => [name, 1])),
  alias: { ...aliasesOf(options), ...GLOBAL },
  configuration: {
    'boolean-negation': false,
    'camel-case-expansion': false,
    'dot-notation': false,
    'greedy-arrays': false,
    'parse-numbers': false,
    'parse-positional-numbers': false,
    'populate--': true,
    'strip-aliased': true,
  },
  __: errorText,
});

/** The parser's one error here is an option without its value. */
const errorText = (_format: string, name: unknown): string => `${toFlag(String(name))} needs a value`;

/** `--name -VALUE` as `--name=-VALUE` for an option whose value may begin with dashes. */
const joinDashed = (options: Options, argv: readonly string[]): string[] => {
  const flags = namesOf(options, (option) => 'dashed' in option).map((name) => `--${name}`);
  const end = argv.indexOf('--');
  const isFlag = (at: number): boolean => flags.includes(argv[at] ?? '') && (end < 0 || at + 1 < end);
  return argv.flatMap((word, at) => {
    if (isFlag(at) && at + 1 < argv.length) return [`${word}=${argv[at + 1]}`];
    return isFlag(at - 1) ? [] : [word];
  });
};

/** `-mVALUE` and `-m=VALUE` as `-m VALUE`: the parser would take the value for more letters. */
const splitAttached = (options: Options, argv: readonly string[]): string[] => {
  const end = argv.indexOf('--');
  const letters = Object.values(options).flatMap((option) => (takesValue(option) ? (option.alias ?? []) : []));
  return argv.flatMap((word, at) => {
    const isAttached = /^-[a-zA-Z]./.test(word) && letters.includes(word.charAt(1)) && (end < 0 || at < end);
    return isAttached ? [word.slice(0, 2), word.slice(2).replace(/^=/, '')] : [word];
  });
};
