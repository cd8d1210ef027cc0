/** Compares two JSON Schemas: do more values fit, or fewer? What cannot be decided is both. Own code: packages report sets of values. */
import { isObject, type JsonObject, ownOf, toObject } from '../../protocol/jsonrpc/json';
import { clip } from '../../streams/text/trim';
import { toCanonical } from '../matching/matchKey';
import { resolved } from './schemaRefs';

/** Fewer values fit than before (`narrower`), more (`wider`), perhaps both (`either`), or the same (`none`). */
type Effect = 'narrower' | 'wider' | 'either' | 'none';

/** A change at one place. */
export type SchemaChange = {
  /** The member that changed, such as `filter.tags[]`; '' for the whole. */
  place: string;
  effect: Effect;
  /** What changed, in words that follow the name of the member. */
  text: string;
};

/** Where both schemas are. */
type Place = {
  path: string;
  roots: readonly [unknown, unknown];
  /** Pairs of references that were compared: a schema may refer to itself, or to one part from very many places. */
  refs: Set<string>;
  /** How many schemas it is inside of. References make it as deep as there are parts. */
  depth: number;
};

const MAX_DEPTH = 300;
const MAX_REFS = 10_000;

/** The changes from one schema to another. */
export const compareSchemas = (before: unknown, after: unknown): SchemaChange[] =>
  compare(before, after, { path: '', roots: [before, after], refs: new Set(), depth: 0 });

const compare = (before: unknown, after: unknown, above: Place): SchemaChange[] => {
  if (toCanonical(before) === toCanonical(after) && !hasReference(before)) return [];
  const place = { ...above, depth: above.depth + 1 };
  const refs = [before, after].map((one) => toObject(one).$ref).join(' ');
  if (refs.trim() !== '' && place.refs.has(refs)) return [];
  if (place.depth > MAX_DEPTH || place.refs.size >= MAX_REFS)
    return [at(place, 'either', 'it has more references than are followed')];
  place.refs.add(refs);
  const [a, b] = [before, after].map((one, side) => resolved(one, place.roots[side])) as [JsonObject, JsonObject];
  if (isChoice(a) || isChoice(b)) return compareChoices(a, b, place);
  return [
    ...compareTypes(a, b, place),
    ...compareValues(a, b, place),
    ...compareProperties(a, b, place),
    ...compareItems(a, b, place),
    ...Object.entries(KEYWORDS).flatMap(([name, effectOf]) => compareKeyword({ a, b, name, effectOf }, place)),
    ...compareOthers(a, b, place),
  ];
};

const hasReference = (schema: unknown): boolean => toCanonical(schema).includes('"$ref"');

const at = ({ path }: Place, effect: Effect, text: string): SchemaChange => ({ place: path, effect, text });

const shown = (value: unknown): string => clip(JSON.stringify(value) ?? 'nothing', MAX_CHARS);

const MAX_CHARS = 80;

/** The names of the types; undefined for any type. */
const typesOf = ({ type }: JsonObject): readonly unknown[] | undefined =>
  type === undefined ? undefined : [type].flat();

const takes = (types: readonly unknown[] | undefined, type: unknown): boolean =>
  types === undefined || types.includes(type) || (type === 'integer' && types.includes('number'));

const compareTypes = (a: JsonObject, b: JsonObject, place: Place): SchemaChange[] => {
  const [before, after] = [typesOf(a), typesOf(b)];
  const lost = before === undefined ? after !== undefined : before.some((type) => !takes(after, type));
  const won = after === undefined ? before !== undefined : after.some((type) => !takes(before, type));
  if (!lost && !won) return [];
  const words = [before, after].map((types) => types?.join(' or ') ?? 'any');
  return [at(place, effectOf(lost, won), `its type ${words[0]} became ${words[1]}`)];
};

const effectOf = (lost: boolean, won: boolean): Effect => {
  if (lost && won) return 'either';
  return lost ? 'narrower' : 'wider';
};

/** The values that a schema lists; undefined for no such list. */
const valuesOf = (schema: JsonObject): readonly unknown[] | undefined => {
  if ('const' in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : undefined;
};

const compareValues = (a: JsonObject, b: JsonObject, place: Place): SchemaChange[] => {
  const [before, after] = [valuesOf(a), valuesOf(b)];
  if (before === undefined || after === undefined) {
    if (after) return [at(place, 'narrower', `only ${after.map(shown).join(', ')} is allowed now`)];
    return before ? [at(place, 'wider', 'other values are allowed now')] : [];
  }
  const [known, now] = [before, after].map((values) => new Set(values.map(toCanonical))) as [Set<string>, Set<string>];
  return [
    ...before
      .filter((value) => !now.has(toCanonical(value)))
      .map((value) => at(place, 'narrower', `the value ${shown(value)} is gone`)),
    ...after
      .filter((value) => !known.has(toCanonical(value)))
      .map((value) => at(place, 'wider', `the value ${shown(value)} is new`)),
  ];
};

const inside = (place: Place, name: string): Place => ({
  ...place,
  path: place.path === '' ? name : `${place.path}.${name}`,
});

const requiredOf = ({ required }: JsonObject): ReadonlySet<unknown> => new Set(Array.isArray(required) ? required : []);

const compareProperties = (a: JsonObject, b: JsonObject, place: Place): SchemaChange[] => {
  const [before, after] = [toObject(a.properties), toObject(b.properties)];
  const [needed, needs] = [requiredOf(a), requiredOf(b)];
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const changes = Object.entries(after).flatMap(([name, schema]): SchemaChange[] => {
    const own = inside(place, name);
    if (!Object.hasOwn(before, name))
      return [needs.has(name) ? at(own, 'narrower', 'it is new and required') : at(own, 'none', 'it is new')];
    const required = needs.has(name)
      ? at(own, 'narrower', 'it is required now')
      : at(own, 'wider', 'it is optional now');
    return [...(needed.has(name) === needs.has(name) ? [] : [required]), ...compare(before[name], schema, own)];
  });
  return [
    ...gone.map((name) => at(inside(place, name), 'either', 'it is gone')),
    ...changes,
    ...compareFurther(a.additionalProperties, b.additionalProperties, inside(place, '*')),
  ];
};

/** Members or items that are not listed: allowed unless a schema or `false` is given. */
const compareFurther = (before: unknown = true, after: unknown = true, place: Place): SchemaChange[] => {
  if (after === false && before !== false) return [at(place, 'narrower', 'what is not listed is no longer allowed')];
  if (before === false && after !== false) return [at(place, 'wider', 'what is not listed is allowed now')];
  return compare(before, after, place);
};

const compareItems = (a: JsonObject, b: JsonObject, place: Place): SchemaChange[] =>
  compareFurther(a.items, b.items, { ...place, path: `${place.path}[]` });

const isChoice = ({ anyOf, oneOf }: JsonObject): boolean => Array.isArray(anyOf) || Array.isArray(oneOf);

/** The schemas of a choice, without their texts; a schema that offers no choice stands alone. */
const choicesOf = (schema: JsonObject): readonly unknown[] => {
  const { anyOf, oneOf } = schema;
  const found = Array.isArray(anyOf) ? anyOf : oneOf;
  return Array.isArray(found) ? found : [withoutTexts(schema)];
};

const withoutTexts = (schema: unknown): unknown =>
  isObject(schema) ? Object.fromEntries(Object.entries(schema).filter(([name]) => !TEXTS.includes(name))) : schema;

const compareChoices = (a: JsonObject, b: JsonObject, place: Place): SchemaChange[] => {
  const [before, after] = [choicesOf(a), choicesOf(b)];
  const keys = (all: readonly unknown[]) => new Set(all.map((one) => toCanonical(withoutTexts(one))));
  const [known, now] = [keys(before), keys(after)];
  const gone = before.filter((one) => !now.has(toCanonical(withoutTexts(one))));
  const added = after.filter((one) => !known.has(toCanonical(withoutTexts(one))));
  const others = isChoice(a) && isChoice(b) ? compareOthers(without(a), without(b), place) : compareTexts(a, b, place);
  if (gone.length === 1 && added.length === 1) return [...compare(gone[0], added[0], place), ...others];
  return [
    ...gone.map((one) => at(place, 'narrower', `the form ${shown(withoutTexts(one))} is gone`)),
    ...added.map((one) => at(place, 'wider', `the form ${shown(withoutTexts(one))} is new`)),
    ...others,
  ];
};

const without = ({ anyOf, oneOf, ...rest }: JsonObject): JsonObject => rest;

type Keyword = { a: JsonObject; b: JsonObject; name: string; effectOf: Judge };

const compareKeyword = ({ a, b, name, effectOf: judge }: Keyword, place: Place): SchemaChange[] => {
  const [before, after] = [ownOf(a, name), ownOf(b, name)];
  if (toCanonical(before) === toCanonical(after)) return [];
  return [at(place, judge(before, after), toWords(name, before, after))];
};

const toWords = (name: string, before: unknown, after: unknown): string => {
  if (before === undefined) return `its ${name} ${shown(after)} is new`;
  return after === undefined
    ? `its ${name} ${shown(before)} is gone`
    : `its ${name} ${shown(before)} became ${shown(after)}`;
};

const compareTexts = (a: JsonObject, b: JsonObject, place: Place): SchemaChange[] =>
  TEXTS.flatMap((name) => compareKeyword({ a, b, name, effectOf: () => 'none' }, place));

/** Members that say nothing about values. */
const TEXTS = ['title', 'description', 'default', 'examples', 'deprecated', '$comment'];

/** Whether fewer values fit after a change of a keyword from one value to another; undefined stands for no such keyword. */
type Judge = (before: unknown, after: unknown) => Effect;

const rises: Judge = (before, after) => byNumber([before, after], ['narrower', 'wider']);
const falls: Judge = (before, after) => byNumber([before, after], ['wider', 'narrower']);

const byNumber = ([before, after]: readonly unknown[], [more, less]: readonly [Effect, Effect]): Effect => {
  if (after === undefined) return 'wider';
  if (before === undefined) return 'narrower';
  if (typeof before !== 'number' || typeof after !== 'number') return 'either';
  return after > before ? more : less;
};

const restricts: Judge = (before, after) => {
  if (after === undefined || after === false) return 'wider';
  return before === undefined || before === false ? 'narrower' : 'either';
};

const each = (names: string, judge: Judge) => Object.fromEntries(names.split(' ').map((name) => [name, judge]));

/** What a change of a keyword means. Source: JSON Schema 2020-12. */
const KEYWORDS: Readonly<Record<string, Judge>> = {
  ...each('minimum exclusiveMinimum minLength minItems minProperties minContains', rises),
  ...each('maximum exclusiveMaximum maxLength maxItems maxProperties maxContains', falls),
  ...each('pattern format multipleOf uniqueItems contains propertyNames not allOf', restricts),
};

/** Members that are compared above, or that only name something. */
const DONE = new Set([
  ...['type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items', '$schema', '$id', '$defs'],
  ...['definitions', ...TEXTS, ...Object.keys(KEYWORDS)],
]);

/** Texts, and keywords that nothing is known about. */
const compareOthers = (a: JsonObject, b: JsonObject, place: Place): SchemaChange[] => [
  ...compareTexts(a, b, place),
  ...[...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((name) => !DONE.has(name))
    .flatMap((name) => compareKeyword({ a, b, name, effectOf: () => 'either' }, place)),
];
