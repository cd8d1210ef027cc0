/** Owns reading the server's command line without loading the whole of yargs, which takes longer than the server's start. */
import parse from 'yargs-parser';
import { defaults, hasTape, type ServeArguments, serveOptions } from './options';

const NAMES = Object.keys(serveOptions) as (keyof typeof serveOptions)[];
const ofType = (type: string): string[] => NAMES.filter((name) => serveOptions[name].type === type);

/**
 * The arguments of `mcp-server`, or undefined when this is another command, a call for help, or not right;
 * then yargs has the word, which says it better.
 */
export const parseServe = (argv: readonly string[]): ServeArguments | undefined => {
  const { argv: parsed, error } = parse.detailed([...argv], {
    string: ofType('string'),
    number: ofType('number'),
    array: ['config'],
    narg: { config: 1 },
    alias: aliases(),
    default: defaults(),
    configuration: {
      'strip-aliased': true,
      'camel-case-expansion': false,
      'greedy-arrays': false,
    },
  });
  const { _: words, ...options } = parsed;
  const isServe = words.length === 0 || (words.length === 1 && words[0] === 'mcp-server');
  const isRight =
    error === null && Object.entries(options).every(([name, value]) => fits(name, value)) && isWhole(options);
  return isServe && isRight ? (options as unknown as ServeArguments) : undefined;
};

const isWhole = (options: Record<string, unknown>): boolean => {
  try {
    return hasTape(options);
  } catch {
    return false; // yargs has the word
  }
};

const aliases = (): Record<string, string> =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const option = serveOptions[name];
      return 'alias' in option ? [[name, option.alias]] : [];
    }),
  );

const fits = (name: string, value: unknown): boolean => {
  const option = (serveOptions as Record<string, { type: string; choices?: readonly string[] }>)[name];
  if (!option) return false;
  if (value === undefined) return true;
  if (option.type === 'number') return typeof value === 'number' && value > 0;
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string' && one !== '');
  return typeof value === 'string' && value !== '' && (option.choices?.includes(value) ?? true);
};
