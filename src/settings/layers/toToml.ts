/** Converts parsed JSON and parsed TOML into one form. */
import { ConfigError } from '../faults/configError';
import { type Table, type Toml, tableFrom } from '../layer';

const maxDepth = 64;
const maxInt = 2n ** 63n;

const fits = (value: bigint): boolean => value >= -maxInt && value < maxInt;

/** A JSON number as TOML: an integer if it is whole and fits 64 bits, else a float. Source: Codex 0.28.0, argument `config`. */
export const ofJsonNumber = (value: number): Toml =>
  Number.isInteger(value) && fits(BigInt(value)) ? BigInt(value) : value;

const tooDeep = (where: string) => new ConfigError(`${where}: nested more than ${maxDepth} deep, expected less`);

/** Splits a key at its dots. Throws ConfigError for one with too many parts. */
export const splitKey = (key: string, where: string): string[] => {
  const path = key.split('.');
  if (path.length > maxDepth) throw tooDeep(where);
  return path;
};

/**
 * Converts a parsed value. Null becomes the empty string, a date its text; undefined keys are dropped.
 * @param where the place named in the ConfigError that is thrown for a value nested too deeply
 * @param ofNumber converts a JavaScript number: JSON has one kind of them, in parsed TOML it is a float
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
    tableFrom(
      Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => [key, convert(one, depth + 1)]),
    );
  return (value: unknown): Toml => convert(value, 0);
};
