/** Reads the lines of a rollout. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { parseObject } from '../../protocol/jsonrpc/parseJson';

/** The objects in the lines of a text; a line without a whole object, such as one that a crash cut off, is left out. */
export const parseLines = (text: string): JsonObject[] => text.split('\n').flatMap(parseLine);

/** The object of one line; none where it holds no whole object. */
export const parseLine = (line: string): JsonObject[] => {
  if (!line.startsWith('{')) return [];
  const value = parseObject(line);
  return value === undefined ? [] : [value];
};
