/**
 * Makes one schema of the members of `allOf`, which a model is not offered. Own code: of the packages that do this, json-schema-merge-allof adds 48 KB and
 * throws if members contradict each other; allof-merge adds 15 KB and drops such properties. Both keep one description of several.
 */
import { isObject, isText, type JsonObject } from '../../protocol/jsonrpc/json';

/**
 * Members of a schema that must not differ, as only one of them could be kept. One `additionalProperties: false` applies to the properties of all members, as
 * its author means; strictly it would forbid the properties of the other members.
 */
const ONE_OF_EACH = ['type', 'items', 'additionalProperties', 'enum', 'const', 'anyOf', 'oneOf', 'default'];

/** The schema with its `allOf` merged into it; the schema as it is if that would lose something, such as one of two types. */
export const mergeAllOf = (schema: JsonObject): JsonObject => {
  const { allOf, ...own } = schema;
  if (!Array.isArray(allOf) || allOf.length === 0 || !allOf.every(isObject)) return schema;
  const members = allOf.map(mergeAllOf);
  return merged(own, members) ?? schema;
};

const merged = (own: JsonObject, members: readonly JsonObject[]): JsonObject | undefined => {
  const all = [own, ...members];
  const properties = propertiesOf(all);
  const required = requiredOf(all);
  const differs = (name: string): boolean => valuesOf(name === 'default' && name in own ? [own] : all, name).length > 1;
  if (properties === undefined || required === undefined || members.some((member) => 'allOf' in member))
    return undefined;
  if (ONE_OF_EACH.some(differs)) return undefined;
  const description = own.description ?? valuesOf(members, 'description').filter(isText).join('\n');
  return {
    ...Object.assign({}, ...all.toReversed()),
    ...(description !== '' && { description }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required }),
  };
};

/** The different values of a member that schemas have. */
const valuesOf = (all: readonly JsonObject[], name: string): unknown[] => {
  const found = all.flatMap((one) => (one[name] === undefined ? [] : [one[name]]));
  return [...new Map(found.map((value) => [JSON.stringify(value), value])).values()];
};

/** Undefined if two schemas of one property cannot be merged. */
const propertiesOf = (schemas: readonly JsonObject[]): [string, unknown][] | undefined => {
  const tables = valuesOf(schemas, 'properties');
  if (!tables.every(isObject)) return undefined;
  const names = [...new Set(tables.flatMap(Object.keys))];
  const all = names.map((name): [string, unknown] => [name, one(valuesOf(tables.map(ownOf), name))]);
  return all.some(([, schema]) => schema === undefined) ? undefined : all;
};

/** Without what every object inherits, such as `constructor`. */
const ownOf = (table: JsonObject): JsonObject => Object.assign(Object.create(null), table);

const one = (schemas: readonly unknown[]): unknown => {
  if (schemas.length === 1) return schemas[0];
  if (!schemas.every(isObject)) return undefined;
  const whole = mergeAllOf({ allOf: schemas });
  return 'allOf' in whole ? undefined : whole;
};

const requiredOf = (all: readonly JsonObject[]): string[] | undefined => {
  const names = valuesOf(all, 'required').flat();
  return names.every(isText) ? [...new Set(names)] : undefined;
};
