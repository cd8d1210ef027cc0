/** The options of a command: how each is written in a table, and the type of its value. */

/** What every option has. `alias` is one letter, `group` the heading in the help. */
type Described = { describe: string; group?: string; alias?: string };

/**
 * A number; `above` and `from` bound it from below, without and with the bound itself; `whole` allows no fraction.
 */
export type NumberOption = Described & {
  type: 'number';
  default?: number;
  above?: number;
  from?: number;
  whole?: true;
};

/** A text, one of `choices` where they are given; a `dashed` one may begin with dashes, as marbles do. */
export type StringOption = Described & {
  dashed?: true;
  type: 'string';
  default?: string;
  choices?: readonly string[];
  required?: true;
};

/** A text that may be given several times; `problemOf` says what is wrong with one. */
export type ListOption = Described & {
  type: 'string';
  array: true;
  choices?: readonly string[];
  problemOf?: (text: string) => string | undefined;
};

/** A switch, off by default. */
export type BooleanOption = Described & { type: 'boolean' };

export type Option = NumberOption | StringOption | ListOption | BooleanOption;

/** Options by their long names. */
export type Options = Readonly<Record<string, Option>>;

type Text<O extends Option> = O extends { choices: readonly (infer Choice)[] } ? Choice : string;

type One<O extends Option> = O extends { type: 'number' } ? number : Text<O>;

/** The type of an option's value; undefined only where it may be left out. */
export type ValueOf<O extends Option> = O extends { type: 'boolean' }
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
