/** Parses text that may not be JSON. */
import { isTooDeep, mayBeTooDeep } from './isTooDeep';
import { isObject, type JsonObject } from './json';

/** The value of a text; undefined for a text that is not JSON or is nested too deeply: no JSON value is undefined. */
export const parseJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return mayBeTooDeep(text) && isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
};

/** The object of a text; undefined for a text that is not JSON, or for another value. */
export const parseObject = (text: string): JsonObject | undefined => {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
};
