/** The input schema of a tool: as its server gave it, or reduced for a model server that refused it. */
import { isObject, type JsonObject, type JsonSchema, ownOf, toObject } from '../../protocol/jsonrpc/json';
import { withoutEscapes } from '../../streams/text/trim';
import { mergeAllOf } from './mergeAllOf';

/** The schema of a tool of which nothing is known but that it takes an object. */
export const openSchema: JsonSchema = { type: 'object', properties: {} };

/**
 * The schema of a tool as it is sent: that of its server, with what providers require of each, an object with properties at the root. A constant is also
 * an `enum` of one, which more models know. Undefined for a schema of anything but an object, which no call could fulfil.
 * Source: OpenAI refuses a function whose schema is no object, or has no `properties`; servers in Go write null for a member that is not there; Codex
 * 0.142.0 and 0.169.0 write `const` as `enum`.
 */
export const toolSchema = (given: unknown): JsonSchema | undefined => {
  if (!isObject(given)) return openSchema;
  const marked = hasConstant(given) ? withEnums : same;
  const { type, properties, required, ...others } = given;
  const isObjectType = type === 'object' || (Array.isArray(type) && type.includes('object'));
  if (isThere(type) && !isObjectType) return undefined;
  if (isThere(properties) && !isObject(properties)) return undefined;
  if (isThere(required) && !isNames(required)) return undefined;
  if (type === 'object' && isObject(properties) && (required === undefined || isNames(required)))
    return marked(given) as JsonSchema;
  return {
    type: 'object',
    ...toObject(marked({ properties: toObject(properties) })),
    ...(isThere(required) && { required }),
    ...toObject(marked(others)),
  };
};

/** Members of a schema that hold schemas: one or a list, or a table of them by name. */
const PARTS = new Set(['items', 'prefixItems', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', 'not']);
const TABLES = new Set(['properties', 'patternProperties', '$defs', 'definitions']);

const same = (schema: unknown): unknown => schema;

/** True if a member is a constant, however deep it is. Allocates nothing, as a schema may have tens of thousands of members. */
const hasConstant = (schema: unknown): boolean => {
  if (typeof schema !== 'object' || schema === null) return false;
  for (const name in schema) {
    if (name === 'const' || hasConstant((schema as JsonObject)[name])) return true;
  }
  return false;
};

/** What has no constant stays the same object. */
const withEnums = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return withChanged(schema, Object.keys(schema), withEnums);
  if (!isObject(schema)) return schema;
  const names = Object.keys(schema).filter((name) => PARTS.has(name) || TABLES.has(name));
  const marked = withChanged(schema, names, (part, name) => (TABLES.has(name) ? withEnumsIn(part) : withEnums(part)));
  return 'const' in schema && schema.enum === undefined ? { ...marked, enum: [schema.const] } : marked;
};

const withEnumsIn = (table: unknown): unknown =>
  isObject(table) ? withChanged(table, Object.keys(table), withEnums) : table;

type Change = (value: unknown, name: string) => unknown;

/** The object with these members changed; the object itself if none of them changes. */
const withChanged = <T extends object>(object: T, names: readonly string[], change: Change): T => {
  const changed: [name: string, value: unknown][] = [];
  for (const name of names) {
    const value = object[name as keyof T];
    const next = change(value, name);
    if (next !== value) changed.push([name, next]);
  }
  if (changed.length === 0) return object;
  return Object.assign(Array.isArray(object) ? [...object] : { ...object }, Object.fromEntries(changed)) as T;
};

const isThere = (value: unknown): boolean => value !== undefined && value !== null;

const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

/** How far a schema is reduced. `choices`: to the members below. `objects`: also without a choice at the root, whose properties become those of the root. */
export type Reduction = 'choices' | 'objects';

/**
 * The rule: what remains is `type`, `description`, `enum`, `default`, `properties`, `required`, `additionalProperties`, `items` and `anyOf`. So `const` becomes
 * an `enum` of one, `oneOf` and a list of types become `anyOf`, `allOf` is merged, and a reference is replaced by its definition. A schema of any value, `{}`,
 * stays; so do null, integers, and a choice at the root. Other members are left out. Undefined for what is no schema.
 * @param given what `toolSchema` made
 */
export const reduceSchema = (given: JsonSchema, reduction: Reduction = 'choices'): JsonSchema | undefined => {
  const whole = reduced(inlineRefs(given, withoutDefinitions(given)));
  if (whole === undefined) return undefined;
  const root = { ...whole, type: 'object', properties: whole.properties ?? {} };
  return reduction === 'objects' ? withoutChoice(root) : root;
};

const withoutDefinitions = ({ $defs: _, definitions: __, ...others }: JsonSchema): JsonSchema => others;

/** The properties of all choices; required is what each of them requires. What a property may be in one choice or another is a choice of its own. */
const withoutChoice = ({ anyOf, ...root }: JsonSchema): JsonSchema => {
  if (!Array.isArray(anyOf)) return root;
  const choices = anyOf.filter(isObject);
  const all = [root, ...choices];
  const names = [...new Set(all.flatMap(({ properties }) => Object.keys(isObject(properties) ? properties : {})))];
  const properties = Object.fromEntries(
    names.map((name) => [name, anyOfThese(all.flatMap((one) => ownIn(one, name)))]),
  );
  const always = requiredIn(root);
  const required = [...new Set([...always, ...requiredIn(choices[0] ?? {})])].filter(
    (name) => always.includes(name) || choices.every((choice) => requiredIn(choice).includes(name)),
  );
  return { ...root, properties, ...(required.length > 0 && { required }) };
};

const ownIn = ({ properties }: JsonObject, name: string): unknown[] =>
  isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];

const anyOfThese = (schemas: readonly unknown[]): unknown => {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return different.length === 1 ? different[0] : { anyOf: different };
};

const requiredIn = ({ required }: JsonObject): readonly string[] => (isNames(required) ? required : []);

/** Members that imply the kind of a value whose schema does not name one. */
const SIGNS: readonly (readonly [kind: string, signs: readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties']],
  ['array', ['items', 'prefixItems']],
  ['string', ['format', 'pattern', 'minLength', 'maxLength']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** Undefined for what is no schema. */
const reduced = (given: unknown): JsonSchema | undefined => {
  if (typeof given === 'boolean') return {};
  if (!isObject(given)) return undefined;
  const schema = mergeAllOf(given);
  const { description, default: usual } = schema;
  const values = valuesOf(schema);
  const kinds = kindsOf(schema, values);
  const choices = [schema.anyOf, schema.oneOf].find(Array.isArray)?.flatMap((choice: unknown) => reduced(choice) ?? []);
  const ofKinds = kinds.length > 1 ? { anyOf: kinds.map((kind) => ofKind(kind, schema)) } : ofKind(kinds[0], schema);
  return {
    ...ofKinds,
    ...(choices !== undefined && { anyOf: choices }),
    ...(typeof description === 'string' && { description }),
    ...(values !== undefined && { enum: values }),
    ...(usual !== undefined && { default: usual }),
  };
};

/** The values that a schema allows; undefined if it does not name them. */
const valuesOf = (schema: JsonObject): unknown[] | undefined =>
  Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : undefined;

/** The kinds that a schema names or implies; none for a schema of any value, or of a choice. */
const kindsOf = (schema: JsonObject, values: readonly unknown[] | undefined): readonly string[] => {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((kind) => typeof kind === 'string');
  const implied = SIGNS.find(([, signs]) => signs.some((sign) => sign in schema))?.[0];
  if (implied !== undefined) return [implied];
  const kinds = [...new Set(values?.map((value) => typeof value))];
  return kinds.length === 1 && ['string', 'number', 'boolean'].includes(kinds[0] as string) ? [kinds[0] as string] : [];
};

const ofKind = (type: string | undefined, schema: JsonObject): JsonSchema => {
  if (type === 'object') return objectOf(schema);
  if (type === 'array') return { type, items: reduced(schema.items) ?? {} };
  return type === undefined ? {} : { type };
};

const objectOf = ({ properties, required, additionalProperties: others }: JsonObject): JsonSchema => {
  const named = Object.entries(isObject(properties) ? properties : {}).map(([name, each]) => [
    name,
    reduced(each) ?? {},
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(named),
    ...(isNames(required) && { required }),
    ...(isThere(others) && { additionalProperties: typeof others === 'boolean' ? others : (reduced(others) ?? true) }),
  };
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

const definitionOf = (schema: JsonObject, ref: string): JsonObject | undefined => {
  const [document, ...names] = ref.split('/');
  if (document !== '#') return undefined;
  const found = names.map(decode).reduce<unknown>(memberOf, schema);
  return isObject(found) ? found : undefined;
};

const memberOf = (at: unknown, name: string): unknown => (isObject(at) ? ownOf(at, name) : undefined);

const decode = (name: string): string => withoutEscapes(name).replaceAll('~1', '/').replaceAll('~0', '~');
