/** Owns reading the server's command line without loading the whole of yargs, which takes longer than the server's start. */
import type parser from 'yargs-parser';
import { type ServeArguments, serveOptions } from './options';

const NAMES = Object.keys(serveOptions) as (keyof typeof serveOptions)[];
const ofType = (type: string): string[] => NAMES.filter((name) => serveOptions[name].type === type);

/**
 * The arguments of `mcp-server`, or undefined when this is another command, a call for help, or not right;
 * then yargs has the word, which says it better.
 */
export const parseServe = (argv: readonly string[]): ServeArguments | undefined => {
  if (argv.length === 0 || (argv.length === 1 && argv[0] === 'mcp-server')) return defaults();
  const parse = require('yargs-parser') as typeof parser;
  const { argv: parsed, error } = parse.detailed([...argv], {
    string: ofType('string'),
    number: ofType('number'),
    array: ['config'],
    narg: { config: 1 },
    alias: Object.fromEntries(
      NAMES.flatMap((name) => ('alias' in serveOptions[name] ? [[name, [serveOptions[name].alias]]] : [])),
    ),
    default: defaults(),
    configuration: {
      'strip-aliased': true,
      'camel-case-expansion': false,
      'duplicate-arguments-array': false,
      'greedy-arrays': false,
    },
  });
  const { _: words, ...options } = parsed;
  const isServe = words.length === 0 || (words.length === 1 && words[0] === 'mcp-server');
  const isRight = error === null && Object.entries(options).every(([name, value]) => fits(name, value));
  return isServe && isRight ? (options as unknown as ServeArguments) : undefined;
};

const defaults = (): ServeArguments =>
  Object.fromEntries(
    NAMES.flatMap((name) => ('default' in serveOptions[name] ? [[name, serveOptions[name].default]] : [])),
  ) as ServeArguments;

const fits = (name: string, value: unknown): boolean => {
  const option = (serveOptions as Record<string, { type: string; choices?: readonly string[] }>)[name];
  if (!option) return false;
  if (value === undefined) return true;
  if (option.type === 'number') return typeof value === 'number' && value > 0;
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string' && one !== '');
  return typeof value === 'string' && value !== '' && (option.choices?.includes(value) ?? true);
};
