/**
 * Checks values against a table of options, which gives them their types. Own code: yargs would check them too, but the whole of it takes longer to load
 * than a server to start, see help.ts.
 */
import {
  type ArgumentsOf,
  isList,
  type ListOption,
  type NumberOption,
  type Option,
  type Options,
  toFlag,
} from './option';

/** What is wrong with each value; empty where all fit their options. `nameOf` writes an option's name for people. */
export const problemsIn = (options: Options, values: object, nameOf: (name: string) => string = toFlag): string[] => {
  const byName = new Map<string, unknown>(Object.entries(values));
  return Object.entries(options).flatMap(([name, option]) => problemOf(nameOf(name), option, byName.get(name)) ?? []);
};

/** True where every value fits its option: from then on the values have the types of the table. */
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
  if (!('choices' in option) || option.choices === undefined || option.choices.includes(value)) return undefined;
  return `${name} must be ${listed(option.choices)}; it is ${value}`;
};

const listed = (choices: readonly string[]): string =>
  [choices.slice(0, -1).join(', '), choices.at(-1)].filter(Boolean).join(' or ');

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
