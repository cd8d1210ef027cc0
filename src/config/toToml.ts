/** Owns the conversion of parsed JSON and parsed TOML into one form. */
import { ConfigError } from './config';
import { type Table, type Toml, tableOf } from './layer';

const maxDepth = 64;
const maxInt = 2n ** 63n;

const fits = (value: bigint): boolean => value >= -maxInt && value < maxInt;

/** A JSON number: whole ones that fit 64 bits are integers, all others floats. Source: Codex 0.28.0, argument `config`. */
export const ofJsonNumber = (value: number): Toml =>
  Number.isInteger(value) && fits(BigInt(value)) ? BigInt(value) : value;

const tooDeep = (where: string) => new ConfigError(`${where}: nested more than ${maxDepth} deep, expected less`);

/** Throws ConfigError for a key of more parts than any setting has. */
export const splitKey = (key: string, where: string): string[] => {
  const path = key.split('.');
  if (path.length > maxDepth) throw tooDeep(where);
  return path;
};

/**
 * Converts what a parser made. Null becomes the empty string, a date its text; undefined keys vanish.
 * @param where named in the ConfigError thrown for a value nested too deeply
 * @param ofNumber how a JavaScript number is meant: JSON has one kind, TOML means a float
 * Source: Codex 0.28.0, argument `config`.
 */
export const toToml = (where: string, ofNumber: (value: number) => Toml) => {
  const convert = (value: unknown, depth: number): Toml => {
    if (depth > maxDepth) throw tooDeep(where);
    if (typeof value === 'number') return ofNumber(value);
    if (typeof value !== 'object')
      return typeof value === 'bigint' || typeof value === 'boolean' ? value : String(value);
    if (value === null) return '';
    if (value instanceof Date) return value.toISOString();
    if (Array.isArray(value)) return value.map((one) => convert(one, depth + 1));
    return convertTable(value, depth);
  };
  const convertTable = (value: object, depth: number): Table =>
    tableOf(
      ...Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => ({ [key]: convert(one, depth + 1) })),
    );
  return (value: unknown): Toml => convert(value, 0);
};
