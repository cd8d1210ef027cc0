/** The options of a command: how each is written in a table, and the type of its value. */

type Described = {
  describe: string;
  /** Heading in the help. */
  group?: string;
  /** One letter. */
  alias?: string;
};

/** A number. */
export type NumberOption = Described & {
  type: 'number';
  default?: number;
  /** Lower bound, exclusive. */
  above?: number;
  /** Lower bound, inclusive. */
  from?: number;
  /** No fraction. */
  whole?: true;
};

type StringOption = Described & {
  /** The value may begin with dashes, as marbles do. */
  dashed?: true;
  type: 'string';
  default?: string;
  /** The allowed values. */
  choices?: readonly string[];
  /** What is wrong with a value, after the name of the option; undefined if it is right. */
  flawOf?: (text: string) => string | undefined;
  required?: true;
};

/** A text that may be given several times. */
export type ListOption = Described & {
  type: 'string';
  array: true;
  choices?: readonly string[];
  /** What is wrong with a value; undefined if it is right. */
  problemOf?: (text: string) => string | undefined;
};

/** A switch, off by default. */
type BooleanOption = Described & { type: 'boolean' };

export type Option = NumberOption | StringOption | ListOption | BooleanOption;

/** Options by their long names. */
export type Options = Readonly<Record<string, Option>>;

type Text<O extends Option> = O extends { choices: readonly (infer Choice)[] } ? Choice : string;

type One<O extends Option> = O extends { type: 'number' } ? number : Text<O>;

/** The type of an option's value; undefined only if it may be left out. */
type ValueOf<O extends Option> = O extends { type: 'boolean' }
  ? boolean
  : O extends { array: true }
    ? Text<O>[]
    : O extends { default: unknown } | { required: true }
      ? One<O>
      : One<O> | undefined;

/** The type of a command's arguments, inferred from its table of options. */
export type ArgumentsOf<O extends Options> = { [Name in keyof O]: ValueOf<O[Name]> };

/** An option as it is typed. */
export const toFlag = (name: string): string => (name.length === 1 ? `-${name}` : `--${name}`);

/** True for an option that may be given several times. */
export const isList = (option: Option): option is ListOption => 'array' in option;

/** The values of options that were not given. */
export const defaultsOf = (options: Options): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).map(([name, option]) => [name, defaultOf(option)]));

const defaultOf = (option: Option): unknown => {
  if (option.type === 'boolean') return false;
  if (isList(option)) return [];
  return option.default;
};

/** How many seconds something may take. */
export const secondsOption = (seconds: number, describe: string) =>
  ({ type: 'number', above: 0, default: seconds, describe }) as const;

/** How many there are: one at least. */
export const countOption = (count: number, describe: string) =>
  ({ type: 'number', from: 1, whole: true, default: count, describe }) as const;
