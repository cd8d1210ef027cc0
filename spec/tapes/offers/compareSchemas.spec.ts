import fc from 'fast-check';
import { fromJSONSchema } from 'zod';
import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import { compareSchemas, type SchemaChange } from '../../../src/tapes/offers/compareSchemas';

const changesIn = (before: unknown, after: unknown): string[] =>
  compareSchemas(before, after).map(({ place, effect, text }) => `${effect} ${place}: ${text}`);

const object = (properties: object, required: string[] = [], rest: object = {}) => ({
  type: 'object',
  properties,
  required,
  ...rest,
});

const text = { type: 'string' };

describe('compareSchemas', () => {
  it.each<[string, unknown, unknown, string[]]>([
    ['nothing between equal schemas', object({ a: text }), { ...object({ a: text }) }, []],
    ['another type', { type: 'integer' }, text, ['either : its type integer became string']],
    ['a wider type', { type: 'integer' }, { type: 'number' }, ['wider : its type integer became number']],
    ['a narrower type', { type: ['string', 'null'] }, text, ['narrower : its type string or null became string']],
    ['a type where any was allowed', {}, text, ['narrower : its type any became string']],
    [
      'values that are gone and new',
      { enum: ['a', 'b'] },
      { enum: ['b', 'c'] },
      ['narrower : the value "a" is gone', 'wider : the value "c" is new'],
    ],
    ['values where any was allowed', text, { ...text, enum: ['a'] }, ['narrower : only "a" is allowed now']],
    ['any value where some were allowed', { const: 1 }, {}, ['wider : other values are allowed now']],
    ['a member that is gone', object({ a: text }), object({}), ['either a: it is gone']],
    ['a member that is new', object({}), object({ a: text }), ['none a: it is new']],
    [
      'a member that is new and required',
      object({}),
      object({ a: text }, ['a']),
      ['narrower a: it is new and required'],
    ],
    [
      'a member that is required now',
      object({ a: text }),
      object({ a: text }, ['a']),
      ['narrower a: it is required now'],
    ],
    ['a member that is optional now', object({ a: text }, ['a']), object({ a: text }), ['wider a: it is optional now']],
    [
      'a change deep inside',
      object({ a: { items: object({ b: { minimum: 1 } }) } }),
      object({ a: { items: object({ b: { minimum: 2 } }) } }),
      ['narrower a[].b: its minimum 1 became 2'],
    ],
    [
      'a closed object',
      object({}),
      object({}, [], { additionalProperties: false }),
      ['narrower *: what is not listed is no longer allowed'],
    ],
    [
      'bounds',
      { minLength: 2, maximum: 9 },
      { maxLength: 5, maximum: 10 },
      ['wider : its minLength 2 is gone', 'wider : its maximum 9 became 10', 'narrower : its maxLength 5 is new'],
    ],
    [
      'patterns',
      { pattern: 'a' },
      { pattern: 'b', format: 'uri' },
      ['either : its pattern "a" became "b"', 'narrower : its format "uri" is new'],
    ],
    [
      'texts',
      { ...text, description: 'a', default: 1 },
      { ...text, description: 'b' },
      ['none : its description "a" became "b"', 'none : its default 1 is gone'],
    ],
    [
      'a choice with one form more',
      text,
      { anyOf: [text, { type: 'null' }], default: null },
      ['wider : the form {"type":"null"} is new', 'none : its default null is new'],
    ],
    [
      'a form that changed',
      { oneOf: [text, { maximum: 1 }] },
      { oneOf: [text, { maximum: 2 }] },
      ['wider : its maximum 1 became 2'],
    ],
    [
      'keywords that it does not know',
      { if: { const: 1 } },
      { if: { const: 2 } },
      ['either : its if {"const":1} became {"const":2}'],
    ],
    ['a schema that nothing fits', {}, false, ['narrower : its not {} is new']],
  ])('finds %s', (_, before, after, expected) => {
    expect(changesIn(before, after)).toEqual(expected);
  });

  it('follows references, also of a schema to itself', () => {
    const tree = (minimum: number) => ({
      $ref: '#/$defs/node',
      $defs: { node: object({ value: { minimum }, children: { items: { $ref: '#/$defs/node' } } }) },
    });
    expect(changesIn(tree(1), tree(2))).toEqual(['narrower value: its minimum 1 became 2']);
    expect(changesIn(tree(1), tree(1))).toEqual([]);
  });

  it('ends soon with references that multiply', () => {
    const defs = (last: object) =>
      Object.fromEntries(
        Array.from({ length: 15 }, (_, i) => {
          const next = { $ref: `#/$defs/d${i + 1}` };
          const fields = Array.from({ length: 10 }, (_, name) => [`m${name}`, next]);
          return [`d${i}`, i === 14 ? last : object(Object.fromEntries(fields))];
        }),
      );
    const schema = (last: object) => ({ $ref: '#/$defs/d0', $defs: defs(last) });
    expect(changesIn(schema({ minimum: 1 }), schema({ minimum: 2 }))).toHaveLength(1);
  });

  it('follows a chain of references only so far', () => {
    const chain = (step: number) => ({
      $ref: '#/$defs/d0',
      $defs: Object.fromEntries(
        Array.from({ length: 5_000 }, (_, i) => [`d${i}`, object({ a: { $ref: `#/$defs/d${(i + step) % 5_000}` } })]),
      ),
    });
    expect(changesIn(chain(1), chain(3))).toEqual([
      expect.stringMatching(/^either a\.[a.]+: it has more references than are followed$/),
    ]);
  });

  it('has the opposite effects the other way round', () => {
    const opposite: Record<string, string> = { narrower: 'wider', wider: 'narrower', either: 'either' };
    const effects = (changes: SchemaChange[]) => changes.map(({ effect }) => effect).filter((one) => one !== 'none');
    fc.assert(
      fc.property(plain, plain, (before, after) => {
        const back = effects(compareSchemas(after, before));
        expect(back.toSorted()).toEqual(
          effects(compareSchemas(before, after))
            .map((one) => opposite[one])
            .toSorted(),
        );
      }),
    );
  });

  it('finds a narrower schema whenever a value no longer fits', () => {
    const fits = (schema: object, value: unknown) => fromJSONSchema(schema as JsonObject).safeParse(value).success;
    fc.assert(
      fc.property(members, members, values, (before, after, value) => {
        fc.pre(fits(before, value) && !fits(after, value));
        expect(isNarrower(before, after)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

/** A member that is new is compatible, although what was sent under its name until now may not fit it. */
const isNarrower = (before: object, after: object): boolean =>
  compareSchemas(before, after).some(
    ({ effect, text: words }) => /narrower|either/.test(effect) || words === 'it is new',
  );

const bound = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });
const plain = fc
  .oneof(
    fc.record({ type: fc.constant('integer'), minimum: bound, maximum: bound }),
    fc.record({ type: fc.constant('string'), minLength: bound, maxLength: bound }),
    fc.record({ type: fc.constantFrom('number', 'boolean') }),
    fc.record({ enum: fc.uniqueArray(fc.constantFrom('', 'a', 'bb'), { minLength: 1 }) }),
  )
  .map((schema) => JSON.parse(JSON.stringify(schema)) as object);
const members = fc
  .tuple(fc.dictionary(fc.constantFrom('a', 'b'), plain), fc.subarray(['a', 'b']))
  .map(([properties, required]) =>
    object(
      properties,
      required.filter((name) => name in properties),
    ),
  );
const values = fc.dictionary(
  fc.constantFrom('a', 'b'),
  fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constantFrom('', 'a', 'bb', true)),
);
