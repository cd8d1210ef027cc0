/** Reading JSON that may be none. */
import { isTooDeep, mayBeTooDeep } from './isTooDeep';
import { isObject, type JsonObject } from './json';

/** The value of a text; undefined for a text that is not JSON, or nested too deep, as no value of JSON is undefined. */
export const parseJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return mayBeTooDeep(text) && isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
};

/** The object of a text; undefined for a text that is not JSON, or another value. */
export const parseObject = (text: string): JsonObject | undefined => {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
};
