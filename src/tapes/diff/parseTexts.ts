/** Parses the JSON in the texts of a message, so that it is compared as JSON. */
import { isObject } from '../../protocol/jsonrpc/json';
import { parseLine } from '../../protocol/jsonrpc/parseLine';

/** Members whose texts are pieces, which are joined later. */
const PIECES = /^(?:delta|chunk)$/;

/** The value with `{ json }` in the place of each text that is the JSON of an object or a list. */
export const parseTexts = (value: unknown): unknown => {
  if (typeof value === 'string') return parseText(value);
  if (Array.isArray(value)) return value.map(parseTexts);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, PIECES.test(name) ? part : parseTexts(part)]),
  );
};

const parseText = (text: string): unknown => {
  if (!/^\s*[[{]/.test(text)) return text;
  const { value } = parseLine(text); // text that nests too deep stays text
  return typeof value === 'object' && value !== null ? { json: value } : text;
};
