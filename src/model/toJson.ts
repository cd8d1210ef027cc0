/** Reads the data of an event. */
import { isObject, type JsonObject } from '../protocol/jsonrpc';

/** Reads the data of an event as a JSON object; undefined when it is none, which is skipped by both dialects. */
export const toJson = (data: string): JsonObject | undefined => {
  try {
    const value: unknown = JSON.parse(data);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined; // seen from real servers: keep-alive texts and cut lines; the answer goes on
  }
};
