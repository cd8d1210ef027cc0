/** The shapes of JSON and of JSON Schema, as far as the wire needs them. */

/** An object of JSON whose members are not known yet. */
export type JsonObject = Record<string, unknown>;

/** A JSON Schema of dialect 2020-12 with an object at its root. */
export type JsonSchema = JsonObject;

/** True for a JSON object: not null, not an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
