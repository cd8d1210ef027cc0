/** Reading JSON that may be none. */
import { isObject, type JsonObject } from './json';

/** The value of a text; undefined for a text that is not JSON, as no value of JSON is undefined. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The object of a text; undefined for a text that is not JSON, or another value. */
export const parseObject = (text: string): JsonObject | undefined => {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
};
