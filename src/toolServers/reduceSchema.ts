/** Reduces the input schema of a tool to what every model provider takes. */
import { isObject, type JsonObject, type JsonSchema } from '../protocol/jsonrpc';

/** Kinds of values, in the order in which one of several is chosen. */
const KINDS = ['object', 'array', 'string', 'number', 'integer', 'boolean'];

/** Members that tell the kind of a value where nothing else does. */
const SIGNS: [string, readonly string[]][] = [
  ['object', ['properties', 'required', 'additionalProperties']],
  ['array', ['items', 'prefixItems']],
  ['string', ['enum', 'const', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** A schema that cannot be brought there. */
class Unfit extends Error {
  override name = 'Unfit';
}

const kindOf = (schema: JsonObject): string => {
  const { type } = schema;
  if (typeof type === 'string') return type;
  const chosen = Array.isArray(type) ? KINDS.find((kind) => type.includes(kind)) : undefined;
  return chosen ?? SIGNS.find(([, signs]) => signs.some((sign) => sign in schema))?.[0] ?? 'string';
};

const describing = ({ description }: JsonObject): { description?: string } => {
  if (description === undefined || description === null) return {};
  if (typeof description !== 'string') throw new Unfit();
  return { description };
};

const requiredOf = ({ required }: JsonObject): { required?: string[] } => {
  if (required === undefined || required === null) return {};
  if (!Array.isArray(required) || required.some((name) => typeof name !== 'string')) throw new Unfit();
  return { required };
};

const objectOf = (schema: JsonObject): JsonSchema => {
  const { properties = {}, additionalProperties } = schema;
  if (!isObject(properties)) throw new Unfit();
  if (isObject(additionalProperties)) throw new Unfit();
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, reduced(each)])),
    ...requiredOf(schema),
    ...(typeof additionalProperties === 'boolean' && { additionalProperties }),
  };
};

const reduced = (schema: unknown): JsonSchema => {
  if (typeof schema === 'boolean') return { type: 'string' };
  if (!isObject(schema)) throw new Unfit();
  const kind = kindOf(schema);
  switch (kind) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return { type: 'array', items: reduced(schema.items ?? { type: 'string' }), ...describing(schema) };
    case 'string':
    case 'boolean':
      return { type: kind, ...describing(schema) };
    case 'number':
    case 'integer':
      return { type: 'number', ...describing(schema) };
    default:
      throw new Unfit();
  }
};

/**
 * The schema with objects, arrays, strings, numbers and booleans only; undefined for one that cannot be written so, whose
 * tool is not offered. Source: Codex 0.28.0, CORE 9.
 */
export const reduceSchema = (schema: unknown): JsonSchema | undefined => {
  try {
    const { type, properties, required } = isObject(schema) ? schema : {};
    return reduced({
      type: type ?? 'object',
      properties: properties ?? {},
      ...(required !== undefined && { required }),
    });
  } catch (error) {
    if (error instanceof Unfit) return undefined;
    throw error;
  }
};
