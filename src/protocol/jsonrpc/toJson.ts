/** Writes a value as JSON, including integers beyond 2^53. */
import { isObject } from './json';

/** JSON text in which a bigint keeps all its digits. */
export const toJson = (value: unknown): string => {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError) || !error.message.includes('BigInt')) throw error;
    return writeExactly(value) as string;
  }
};

/** Like JSON.stringify, part by part; undefined for a value that JSON cannot express. */
const writeExactly = (value: unknown): string | undefined => {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map((part) => writeExactly(part) ?? 'null').join(',')}]`;
  if (!isObject(value) || typeof value.toJSON === 'function') return JSON.stringify(value);
  const members = Object.entries(value).flatMap(([name, part]) => {
    const text = writeExactly(part);
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`];
  });
  return `{${members.join(',')}}`;
};
