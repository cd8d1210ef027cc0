/** Lists the members of a JSON Schema, and their values, that a recording can touch. */
import { isObject, type JsonObject, toObject } from '../../protocol/jsonrpc/json';
import { toCanonical } from '../matching/matchKey';
import { resolved } from '../offers/schemaRefs';

/** A member that a schema names. */
export type SchemaPoint = {
  /** Its place, see `inMember` and `inItems`. */
  key: string;
  /** The same for a person, such as `filter.tags[]`. */
  shown: string;
  /** The place of the object that has it, if that may leave it out. */
  optionalIn?: string;
  /** Its values as canonical JSON, if there are few. */
  values: readonly string[];
};

/** The place of the whole value. */
export const ROOT = '';
/** The place of a member; no other place has the same key. */
export const inMember = (key: string, name: string): string =>
  `${key}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
/** The place of the items of a list. */
export const inItems = (key: string): string => `${key}/~2`;

type Place = Pick<SchemaPoint, 'key' | 'shown' | 'optionalIn'>;
type Visit = { schema: unknown; place: Place; refs: readonly string[] };

/** More members than a person looks through. */
const MAX_VISITS = 2_000;

/** The members of a schema, without the whole. A reference to a schema that the reference is in is followed once. */
export const schemaPoints = (root: unknown): SchemaPoint[] => {
  const points = new Map<string, SchemaPoint>();
  const visits: Visit[] = [{ schema: root, place: { key: ROOT, shown: '' }, refs: [] }];
  for (let at = 0; at < visits.length && at < MAX_VISITS; at += 1) {
    const { schema, place, refs } = visits[at] as Visit;
    const { $ref } = toObject(schema);
    const isInItself = typeof $ref === 'string' && refs.includes($ref);
    const plain = isInItself ? {} : resolved(schema, root);
    const known = points.get(place.key);
    const values = [...new Set([...(known?.values ?? []), ...valuesOf(plain)])];
    if (place.key !== ROOT) points.set(place.key, { ...place, ...known, values });
    const below = typeof $ref === 'string' ? [...refs, $ref] : refs;
    visits.push(...partsOf(plain, place).map((part) => ({ ...part, refs: below })));
  }
  return [...points.values()];
};

/** Values of which there are a few; a constant has no other. */
const valuesOf = (schema: JsonObject): string[] => {
  if (schema.type === 'boolean') return ['false', 'true'];
  return Array.isArray(schema.enum) && schema.enum.length > 1 ? schema.enum.map(toCanonical) : [];
};

const partsOf = (schema: JsonObject, place: Place): Omit<Visit, 'refs'>[] => {
  const choices = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => (Array.isArray(schema[name]) ? schema[name] : []));
  const required = Array.isArray(schema.required) ? schema.required : [];
  const members = Object.entries(toObject(schema.properties)).map(([name, part]) => ({
    schema: part,
    place: {
      key: inMember(place.key, name),
      shown: place.shown === '' ? name : `${place.shown}.${name}`,
      ...(!required.includes(name) && { optionalIn: place.key }),
    },
  }));
  const items = isObject(schema.items)
    ? [{ schema: schema.items, place: { key: inItems(place.key), shown: `${place.shown}[]` } }]
    : [];
  return [...choices.map((choice) => ({ schema: choice, place })), ...members, ...items];
};
