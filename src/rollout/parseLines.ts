/** Reads the lines of a rollout. */
import { isObject, type JsonObject } from '../protocol/jsonrpc';

/** The objects of a text of lines; a line that is none, such as one that a crash cut off, is left out. */
export const parseLines = (text: string): JsonObject[] => text.split('\n').flatMap(parseLine);

const parseLine = (line: string): JsonObject[] => {
  if (!line.startsWith('{')) return [];
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? [value] : [];
  } catch {
    return [];
  }
};
