/** A command: its options and its help, how its command line is read, and what it runs. Own code: yargs takes longer to load than the server takes to start. */
import { lazy } from '../streams/lazy';
import { listed } from '../streams/text/reasons';
import {
  type ArgumentsOf,
  defaultsOf,
  isList,
  type ListOption,
  type NumberOption,
  type Option,
  type Options,
  toFlag,
} from './option';

/** The parser is not needed for a command without arguments, which is how most clients start the server. */
const parser = lazy(() => require('./readArguments') as typeof import('./readArguments'));

/** Words of a command that are no options, in order. A word may have `choices`; a last word that is an array takes all that are left. */
type Positionals = Readonly<
  Record<
    string,
    | { type: 'string'; required?: true; choices?: readonly string[]; describe: string }
    | { type: 'string'; array: true; describe: string }
  >
>;

/** What a command runs with: its options, its words, and the command line after `--` (empty if there is none). */
export type GivenTo<O extends Options, P extends Positionals> = ArgumentsOf<O> &
  ArgumentsOf<P> & { command: readonly string[] };

/** What the help shows of a command. `$0` stands for the program. */
type Help = {
  usage: string;
  positionals: Positionals;
  options: Options;
  examples: readonly (readonly [line: string, meaning: string])[];
  epilogue?: string;
};

type Definition<O extends Options, P extends Positionals> = Help & {
  options: O;
  positionals: P;
  /** Whether a command line may follow `--`. */
  afterDashes: 'nothing' | 'command';
  /** What is wrong with arguments that fit their options one by one; `named` are the options that are written on the command line. */
  problem?: (given: GivenTo<O, P>, named: ReadonlySet<string>) => string | undefined;
  run: (given: GivenTo<O, P>) => void;
};

/** A command line that was read; `problem` is what is wrong with it. */
type Reading<T> =
  | { kind: 'given'; given: T }
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'problem'; problem: string };

/** A command line that was read: something to run, or why there is nothing to run. */
type Prepared = { kind: 'ready'; run: () => void } | Exclude<Reading<never>, { kind: 'given' }>;

/** A command as the table of commands knows it, whatever the types of its arguments. */
export type AnyCommand = Help & { prepare: (argv: readonly string[]) => Prepared };

/** A command whose arguments have the types of its options. */
export type Command<T> = AnyCommand & { read: (argv: readonly string[]) => Reading<T> };

/** Makes a command. The types of its arguments are inferred from its tables. */
export const defineCommand = <const O extends Options, const P extends Positionals>(
  definition: Definition<O, P>,
): Command<GivenTo<O, P>> => {
  const read = (argv: readonly string[]) => readGiven(definition, argv);
  return {
    ...definition,
    read,
    prepare: (argv) => {
      const reading = read(argv);
      return reading.kind === 'given' ? { kind: 'ready', run: () => definition.run(reading.given) } : reading;
    },
  };
};

const failed = (problem: string) => ({ kind: 'problem', problem }) as const;

const readGiven = <O extends Options, P extends Positionals>(
  definition: Definition<O, P>,
  argv: readonly string[],
): Reading<GivenTo<O, P>> => {
  if (argv.length === 0)
    return check(definition, {
      ...defaultsOf(definition.options),
      ...wordsOf(definition.positionals, []),
      command: [],
    });
  const line = parser().readArguments(definition.options, argv);
  const hint =
    definition.afterDashes === 'command' && !argv.includes('--') ? '; a command, with its options, goes after --' : '';
  if (typeof line === 'string') return failed(line.endsWith(' is not an option') ? `${line}${hint}` : line);
  const { help, version, ...values } = line.values;
  if (help) return { kind: 'help' };
  if (version) return { kind: 'version' };
  if (line.command && definition.afterDashes === 'nothing') return failed('This command takes nothing after --');
  const names = Object.entries(definition.positionals);
  const extra = line.words[names.length];
  if (extra !== undefined && !takesRest(names.at(-1)?.[1])) return failed(`${extra} is one word too many${hint}`);
  const words = wordsOf(definition.positionals, line.words);
  return check(definition, { ...values, ...words, command: line.command ?? [] }, line.named);
};

const takesRest = (positional: Positionals[string] | undefined): boolean =>
  positional !== undefined && 'array' in positional;

const wordsOf = (positionals: Positionals, words: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(positionals).flatMap(([name, positional], at): [string, unknown][] => {
      if (takesRest(positional)) return [[name, words.slice(at)]];
      return at < words.length ? [[name, words[at]]] : [];
    }),
  );

const check = <O extends Options, P extends Positionals>(
  { options, positionals, problem }: Definition<O, P>,
  values: { command: readonly string[] },
  named: ReadonlySet<string> = new Set(),
): Reading<GivenTo<O, P>> => {
  if (!areArguments(positionals, values)) return failed(problemsIn(positionals, values, toWord).join('; '));
  if (!areArguments(options, values)) return failed(problemsIn(options, values).join('; '));
  const found = problem?.(values, named);
  return found === undefined ? { kind: 'given', given: values } : failed(found);
};

/** A word as the usage writes it. */
const toWord = (name: string): string => name.toUpperCase();

/** What is wrong with each value; empty if all fit their options. `nameOf` writes the name of an option for people. */
export const problemsIn = (options: Options, values: object, nameOf: (name: string) => string = toFlag): string[] => {
  const byName = new Map<string, unknown>(Object.entries(values));
  return Object.entries(options).flatMap(([name, option]) => problemOf(nameOf(name), option, byName.get(name)) ?? []);
};

/** True if every value fits its option; then the values have the types of the table. */
export const areArguments = <O extends Options>(options: O, values: object): values is ArgumentsOf<O> =>
  problemsIn(options, values).length === 0;

const problemOf = (name: string, option: Option, value: unknown): string | string[] | undefined => {
  if (isList(option)) return problemsOfList(name, option, value);
  if (Array.isArray(value)) return `${name} is given more than once`;
  if (option.type === 'boolean') return typeof value === 'boolean' ? undefined : `${name} takes no value`;
  if (value === undefined) return 'required' in option ? `${name} is missing` : undefined;
  return option.type === 'number' ? problemOfNumber(name, option, value) : problemOfText(name, option, value);
};

const problemsOfList = (name: string, option: ListOption, value: unknown): string[] => {
  const texts: unknown[] = Array.isArray(value) ? value : [value];
  return texts.flatMap((text) => problemOfText(name, option, text) ?? option.problemOf?.(String(text)) ?? []);
};

const problemOfText = (name: string, option: Option, value: unknown): string | undefined => {
  if (typeof value !== 'string' || value === '') return `${name} needs a value`;
  const flaw = 'flawOf' in option ? option.flawOf?.(value) : undefined;
  if (flaw !== undefined) return `${name} ${flaw}`;
  if (!('choices' in option) || option.choices === undefined || option.choices.includes(value)) return undefined;
  return `${name} must be ${listed(option.choices)}; it is ${value}`;
};

const problemOfNumber = (name: string, option: NumberOption, value: unknown): string | undefined => {
  const { above = Number.NEGATIVE_INFINITY, from = Number.NEGATIVE_INFINITY, whole } = option;
  const isNumber = typeof value === 'number' && !Number.isNaN(value);
  if (isNumber && value > above && value >= from && (!whole || Number.isInteger(value))) return undefined;
  return `${name} must be a ${whole ? 'whole ' : ''}number${boundOf(option)}`;
};

const boundOf = ({ above, from }: NumberOption): string => {
  if (above !== undefined) return ` above ${above}`;
  return from === undefined ? '' : ` from ${from}`;
};
