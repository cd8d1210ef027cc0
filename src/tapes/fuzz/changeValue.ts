/** Changes a JSON value at one random place: to another value that its schema allows, or to an unexpected value. */
import { isObject, type JsonObject, ownOf, toObject } from '../../protocol/jsonrpc/json';
import type { Random } from '../../streams/random';
import { toCanonical } from '../matching/matchKey';
import { resolved } from '../offers/schemaRefs';
import { fewerMembers, smallerValues } from './smallerValues';

/** A changed value. */
export type ChangedValue = {
  value: unknown;
  /** What changed, such as `filter.tags[0]: "a" became null`. */
  text: string;
  /** The same change by a smaller value, or with less besides it; the smallest first, none if nothing can be smaller. */
  smaller: () => ChangedValue[];
};

type Path = readonly (string | number)[];

/** A part of the value, or a member that the schema names and the value has not. */
type Place = { path: Path; schema: JsonObject; value: unknown; isThere: boolean };

/** Larger values are changed at their first places. */
const MAX_PLACES = 500;

/** The same random numbers make the same change. @param schema of the value; without one (undefined) only what is in the value changes */
export const changeValue = (random: Random, schema: unknown, value: unknown): ChangedValue => {
  const places = placesIn({ path: [], schema: resolved(schema, schema), value, isThere: true }, schema);
  const inside = schema === undefined && places.length > 1 ? places.slice(1) : places;
  const place = random.pick(inside as [Place, ...Place[]]);
  const isRoot = place.path.length === 0;
  const isLeftOut = place.isThere && !isRoot && random.below(8) === 0;
  return toChanged(value, place, isLeftOut ? [] : [newValue(random, place)]);
};

const toChanged = (value: unknown, place: Place, now: readonly [] | readonly [unknown]): ChangedValue => ({
  value: changeAt(value, place.path, () => now),
  text: textOf(place, now),
  smaller: () => [
    ...fewerOthers(value, place.path).map((one) => toChanged(one, place, now)),
    ...now.flatMap(smallerValues).map((one) => toChanged(value, place, [one])),
  ],
});

const textOf = ({ path, value, isThere }: Place, now: readonly unknown[]): string => {
  const name = nameOf(path);
  if (now.length === 0) return `${name} is left out`;
  return isThere ? `${name}: ${shown(value)} became ${shown(now[0])}` : `${name} is ${shown(now[0])}`;
};

/** The value with less besides what is at a path. */
const fewerOthers = (value: unknown, [part, ...rest]: Path): unknown[] => {
  if (part === undefined || !isObject(value) || typeof part !== 'string') return [];
  const inside = Object.hasOwn(value, part) ? fewerOthers(value[part], rest) : [];
  return [...fewerMembers(value, part), ...inside.map((one) => ({ ...value, [part]: one }))];
};

const placesIn = (root: Place, document: unknown): Place[] => {
  const places = [root];
  for (let at = 0; at < places.length && at < MAX_PLACES; at += 1)
    places.push(...below(places[at] as Place, document).slice(0, MAX_PLACES));
  return places.slice(0, MAX_PLACES);
};

const below = ({ path, schema, value }: Place, document: unknown): Place[] => {
  if (Array.isArray(value)) {
    const items = resolved(schema.items, document);
    return value.map((item, at) => ({ path: [...path, at], schema: items, value: item, isThere: true }));
  }
  if (!isObject(value)) return [];
  const properties = toObject(schema.properties);
  const names = [...new Set([...Object.keys(value), ...Object.keys(properties)])].filter((name) => name !== '_meta');
  return names.map((name) => ({
    path: [...path, name],
    schema: Object.hasOwn(properties, name) ? resolved(properties[name], document) : {},
    value: ownOf(value, name),
    isThere: Object.hasOwn(value, name),
  }));
};

const nameOf = (path: Path): string =>
  path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : [name, part].filter(Boolean).join('.')),
    '',
  ) || 'the arguments';

const MAX_SHOWN = 60;

const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)`;
};

/** The value with another one at a path; with none, if `change` returns none. */
const changeAt = (value: unknown, path: Path, change: () => readonly [] | readonly [unknown]): unknown => {
  const [part, ...rest] = path;
  if (part === undefined) return change()[0];
  if (Array.isArray(value))
    return value.flatMap((item, at) => {
      if (at !== part) return [item];
      return rest.length === 0 ? change() : [changeAt(item, rest, change)];
    });
  const object = toObject(value);
  const old = ownOf(object, String(part));
  const now = rest.length === 0 ? change() : [changeAt(old, rest, change)];
  const others = Object.entries(object).filter(([name]) => name !== part);
  return Object.fromEntries(now.length === 0 ? others : [...others, [String(part), now[0]]]);
};

const newValue = (random: Random, place: Place): unknown => {
  const allowed = allowedValues(place.schema, place.value);
  const expected = allowed.length > 0 && random.below(2) === 0 ? allowed : [];
  const values = expected.length > 0 ? expected : unexpectedValues(random, place);
  const changed = random.pick((values.length > 0 ? values : [null]) as [unknown, ...unknown[]]);
  const isSame = toCanonical(changed) === toCanonical(place.value);
  return isSame ? [changed ?? null] : changed;
};

/** Values at the edges of what a schema allows. */
const allowedValues = (schema: JsonObject, value: unknown): unknown[] => {
  if (Array.isArray(schema.enum)) return schema.enum;
  const choices = [schema.anyOf, schema.oneOf].flatMap((one) => (Array.isArray(one) ? one.map(toObject) : []));
  if (choices.length > 0) return choices.flatMap((one) => allowedValues(one, value));
  const types = [schema.type ?? typeOf(value)].flat();
  return types.flatMap((type) => EDGES.get(type)?.(schema, value) ?? []);
};

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

const numberOf = (value: unknown, other: number): number => (typeof value === 'number' ? value : other);

type Edges = (schema: JsonObject, value: unknown) => unknown[];

const numbers: Edges = ({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }) => {
  const least = numberOf(minimum, numberOf(exclusiveMinimum, -1_000_000) + 1);
  const most = numberOf(maximum, numberOf(exclusiveMaximum, 1_000_000) - 1);
  return [least, most, 0, 1, -1, Math.round((least + most) / 2)].filter((one) => one >= least && one <= most);
};

const EDGES: ReadonlyMap<unknown, Edges> = new Map<unknown, Edges>([
  ['null', () => [null]],
  ['boolean', () => [true, false]],
  ['integer', numbers],
  ['number', numbers],
  [
    'string',
    ({ minLength, maxLength }) => {
      const [least, most] = [numberOf(minLength, 0), Math.min(numberOf(maxLength, 1_000), LONG)];
      return [
        'x'.repeat(Math.min(least, LONG)),
        'x'.repeat(most),
        ...TEXTS.filter((one) => isWithin(one, least, most)),
      ];
    },
  ],
  [
    'array',
    ({ minItems, maxItems }, value) => {
      const items = Array.isArray(value) ? value : [];
      const many = Array.from(
        { length: Math.min(numberOf(maxItems, 100), 1_000) },
        (_, at) => items[at % items.length],
      );
      return [items.slice(0, numberOf(minItems, 0)), ...(items.length > 0 ? [many] : [])];
    },
  ],
  ['object', (_, value) => [{ ...toObject(value), unknown_member: 1 }, {}]],
]);

const isWithin = ({ length }: string, least: number, most: number): boolean => length >= least && length <= most;

/** Texts that programs trip over; none of them is a command, or the path of something that is there. */
const TEXTS = [
  '',
  ' ',
  '0',
  'null',
  '\n',
  '\u0000',
  'é\u0301',
  '\u{1f600}',
  '\u202eabc',
  '%s%n',
  '{{7*7}}',
  '<b>&amp;',
  '\'"\\',
];

const LONG = 100_000;
const MANY = 10_000;
const DEEP_LEVELS = 100;

type Values = (value: unknown) => unknown[];

/** Values of other types, and texts. */
const others: Values = () => [null, true, -1, 1.5, 2 ** 53, 1e308, [], {}, [null], ...TEXTS];

/** Values that look like the recorded value. */
const alike: Values = (value) => [
  JSON.stringify(value) ?? '',
  [value ?? null],
  Object.fromEntries([['__proto__', { polluted: true }], ...Object.entries(toObject(value))]),
  'x\ud800',
];

/** Values that are too long, or too deep. */
const large: Values = () => [
  'x'.repeat(LONG),
  Array.from({ length: MANY }, () => 0),
  Array.from({ length: DEEP_LEVELS }).reduce<unknown>((inner) => [inner], []),
];

const unexpectedValues = (random: Random, { value }: Place): unknown[] =>
  random.pick([others, others, others, alike, alike, large])(value);
