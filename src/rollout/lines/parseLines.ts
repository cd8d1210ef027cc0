/** Reads the lines of a rollout. */
import { type JsonObject, parseObject } from '../../protocol/jsonrpc';

/** The objects of a text of lines; a line that is none, such as one that a crash cut off, is left out. */
export const parseLines = (text: string): JsonObject[] => text.split('\n').flatMap(parseLine);

/** The object of one line; none where it holds no whole one. */
export const parseLine = (line: string): JsonObject[] => {
  if (!line.startsWith('{')) return [];
  const value = parseObject(line);
  return value === undefined ? [] : [value];
};
