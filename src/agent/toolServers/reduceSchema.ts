/** Reduces the input schema of a tool to what every model provider accepts. */
import { isObject, type JsonObject, type JsonSchema } from '../../protocol/jsonrpc/json';
import { mergeAllOf } from './mergeAllOf';

/**
 * The schema reduced to objects, arrays, strings, numbers, booleans and choices of these; undefined if that is impossible:
 * the tool is then not offered. Source: Codex 0.28.0, CORE 9; that `enum`, `default` and `anyOf` are kept is ours.
 * Newer releases: a schema in `additionalProperties` is kept, as by Codex 0.142.0 and 0.169.0; 0.28.0 does not offer such a tool. Those releases also keep
 * `allOf`, whose members are merged here, `oneOf`, which is written as `anyOf` here, and references, which are inlined here; both write `const` as `enum`.
 */
export const reduceSchema = (schema: unknown): JsonSchema | undefined => {
  const whole = isObject(schema) ? schema : {};
  const { allOf } = whole;
  const [type, properties, required] = [whole.type ?? 'object', whole.properties ?? {}, whole.required ?? undefined];
  const inlined = inlineRefs(whole, { properties, ...(allOf !== undefined && { allOf }) });
  const root = mergeAllOf({ type, ...(inlined as JsonObject), ...(required !== undefined && { required }) });
  return reduceOrNothing({ type, properties: root.properties, required: root.required });
};

const KINDS = ['object', 'array', 'string', 'number', 'integer', 'boolean'];

/** Members that imply the kind of a value whose schema does not name one. */
const SIGNS: [string, readonly string[]][] = [
  ['object', ['properties', 'required', 'additionalProperties']],
  ['array', ['items', 'prefixItems']],
  ['string', ['const', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** A schema that cannot be reduced. */
class Unfit extends Error {
  override name = 'Unfit';
}

/** The kind that a schema names or implies: if it names several, the first usable one; undefined if there is none. */
const kindOf = (schema: JsonObject): string | undefined => {
  const { type } = schema;
  if (typeof type === 'string') return type;
  const chosen = Array.isArray(type) ? type.find((kind) => KINDS.includes(kind)) : undefined;
  return chosen ?? SIGNS.find(([, signs]) => signs.some((sign) => sign in schema))?.[0] ?? kindOfValues(schema);
};

const kindOfValues = ({ enum: values }: JsonObject): string | undefined => {
  if (!Array.isArray(values)) return undefined;
  const kinds = [...new Set(values.map((value) => typeof value))];
  return kinds.length === 1 && KINDS.includes(kinds[0] as string) ? kinds[0] : 'string';
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
  const { properties = {} } = schema;
  if (!isObject(properties)) throw new Unfit();
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, reduced(each)])),
    ...requiredOf(schema),
    ...othersOf(schema),
  };
};

/** The schema of members that `properties` does not name, such as the members of a map; anything if it cannot be reduced. */
const othersOf = ({ additionalProperties: others }: JsonObject): JsonObject => {
  if (typeof others === 'boolean') return { additionalProperties: others };
  if (!isObject(others)) return {};
  const isAnything = kindOf(others) === undefined && choicesOf(others) === undefined;
  return { additionalProperties: isAnything || (reduceOrNothing(others) ?? true) };
};

const reduced = (given: unknown): JsonSchema => {
  if (typeof given === 'boolean') return { type: 'string' };
  if (!isObject(given)) throw new Unfit();
  const schema = mergeAllOf(given);
  const kind = kindOf(schema);
  const choices = choicesOf(schema);
  const about = schema === given ? {} : describing(schema);
  if (choices === undefined) return { ...ofKind(kind ?? 'string', schema), ...about, ...keptOf(schema) };
  const [first, ...others] = choices;
  if (first === undefined) throw new Unfit();
  const base = kind === undefined ? {} : ofKind(kind, schema);
  const chosen = others.length === 0 && kind === undefined ? first : { ...base, anyOf: choices };
  return { ...chosen, ...describing(schema), ...keptOf(schema) };
};

/** The members of `anyOf` or of `oneOf` that a model can choose from, without null. */
const choicesOf = ({ anyOf, oneOf }: JsonObject): JsonSchema[] | undefined =>
  [anyOf, oneOf].find(Array.isArray)?.flatMap((choice: unknown) => {
    const fit = reduceOrNothing(choice);
    return fit === undefined ? [] : [fit];
  });

const ofKind = (kind: string, schema: JsonObject): JsonSchema => {
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

/** What a model needs to choose a value: the allowed values, and the default. */
const keptOf = (schema: JsonObject): JsonObject => ({
  ...(typeof schema.const === 'string' && { enum: [schema.const] }),
  ...(Array.isArray(schema.enum) && { enum: schema.enum }),
  ...('default' in schema && { default: schema.default }),
});

const reduceOrNothing = (schema: unknown): JsonSchema | undefined => {
  try {
    return reduced(schema);
  } catch (error) {
    if (error instanceof Unfit) return undefined;
    throw error;
  }
};

/** How many objects may come from definitions; further references stay. Definitions that each refer to the next one twice double at each step. */
const MAX_OBJECTS = 10_000;

/**
 * A part of a schema, with each local reference (`#/$defs/NAME`) replaced by its definition, to which the members next to the reference are added.
 * A definition within itself has only its type. A reference that leads nowhere, or to another document, stays.
 * @param schema the whole schema, which has the definitions
 * Source: JSON Schema 2020-12, 8.2; JSON Pointer, RFC 6901. MCP servers in Python define each nested model so.
 */
export const inlineRefs = (schema: JsonObject, part: unknown): unknown => {
  let left = MAX_OBJECTS;
  const inline = (value: unknown, open: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((each) => inline(each, open));
    if (!isObject(value)) return value;
    if (open.length > 0) left -= 1;
    const { $ref: ref, ...others } = value;
    const found = typeof ref === 'string' && left > 0 ? definitionOf(schema, ref) : undefined;
    if (typeof ref !== 'string' || found === undefined) return inlineMembers(value, open);
    const definition = open.includes(ref) ? { type: found.type ?? 'object' } : inline(found, [...open, ref]);
    return { ...(definition as JsonObject), ...inlineMembers(others, open) };
  };
  const inlineMembers = (value: JsonObject, open: readonly string[]): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inline(each, open)]));
  return inline(part, []);
};

/** The object at the JSON pointer of a reference within its document. */
const definitionOf = (schema: JsonObject, ref: string): JsonObject | undefined => {
  const [document, ...names] = ref.split('/');
  if (document !== '#') return undefined;
  const found = names.map(decode).reduce<unknown>(memberOf, schema);
  return isObject(found) ? found : undefined;
};

const memberOf = (at: unknown, name: string): unknown =>
  isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;

const decode = (name: string): string => decodeUri(name).replaceAll('~1', '/').replaceAll('~0', '~');

const decodeUri = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
