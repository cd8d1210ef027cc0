import fc from 'fast-check';
import { randomOf } from '../../../src/streams/random';
import { changeValue } from '../../../src/tapes/fuzz/changeValue';

const schema = {
  type: 'object',
  required: ['path'],
  properties: {
    path: { type: 'string', maxLength: 9 },
    mode: { enum: ['fast', 'deep'] },
    count: { $ref: '#/$defs/count' },
    tags: { type: 'array', items: { type: 'boolean' } },
  },
  $defs: { count: { type: 'integer', minimum: 1, maximum: 5 } },
};
const value = { path: 'a', mode: 'fast', tags: [true] };

const changes = (one: unknown, of: unknown, runs = 200) =>
  Array.from({ length: runs }, (_, seed) => changeValue(randomOf(seed), one, of));
const textsOf = (one: unknown, of: unknown, runs?: number) => new Set(changes(one, of, runs).map(({ text }) => text));

describe('changeValue', () => {
  it('changes what is there, adds what is not, and leaves out', () => {
    const texts = textsOf(schema, value, 1_500);
    expect([...texts]).toEqual(
      expect.arrayContaining([
        'mode: "fast" became "deep"',
        'mode: "fast" became null',
        'mode is left out',
        'count is 1',
        'count is 5',
        'count is -1',
        'tags[0]: true became false',
        'tags[0] is left out',
        'path: "a" became "xxxxxxxxx"',
        expect.stringMatching(/^path: "a" became "x{59}… \(100002 characters\)$/),
        expect.stringMatching(/^the arguments: .* became null$/),
      ]),
    );
  });

  it('changes only what is in a value without a schema', () => {
    const texts = [...textsOf(undefined, { uri: 'a:1', _meta: { x: 1 } })];
    expect(texts.filter((text) => !text.startsWith('uri'))).toEqual([]);
    expect([...textsOf(undefined, {})].every((text) => text.startsWith('the arguments'))).toBe(true);
  });

  it('makes the same change for the same seed, which is JSON and is another value', () => {
    const anySchema = fc.oneof(fc.constant(schema), fc.jsonValue(), fc.constant(undefined));
    fc.assert(
      fc.property(fc.integer(), anySchema, fc.dictionary(fc.string(), fc.jsonValue()), (seed, one, before) => {
        const kept = JSON.stringify(before);
        const after = changeValue(randomOf(seed), one, before);
        const { value: again, text } = changeValue(randomOf(seed), one, before);
        expect([again, text]).toEqual([after.value, after.text]);
        expect(JSON.stringify(before)).toBe(kept);
        expect(JSON.stringify(after.value)).not.toBe(kept);
        expect(JSON.parse(JSON.stringify(after.value))).toEqual(JSON.parse(JSON.stringify(after.value)));
        expect(JSON.stringify(after.value).length).toBeLessThan(kept.length * 300 + 200_000);
      }),
      { numRuns: 100 },
    );
  });

  it('has smaller values of the same change, and less besides it', () => {
    const long = changes(schema, value).find(({ text }) => text.startsWith('path: "a" became "xxxxxxxxx'));
    expect(long?.smaller().map(({ text, value: one }) => [text, one])).toEqual(
      expect.arrayContaining([
        ['path: "a" became ""', { path: '', mode: 'fast', tags: [true] }],
        ['path: "a" became "xxxxxxxxx"', { path: 'xxxxxxxxx' }],
      ]),
    );
    const gone = changes(schema, value).find(({ text }) => text === 'mode is left out');
    expect(gone?.smaller().map(({ text, value: one }) => [text, one])).toContainEqual([
      'mode is left out',
      { path: 'a' },
    ]);
    expect(
      changes(undefined, { a: 1 })
        .find(({ text }) => text === 'a: 1 became null')
        ?.smaller(),
    ).toEqual([]);
  });

  it('sends a member that would change every object of a careless program, as a member', () => {
    const polluting = changes(schema, value).find(({ value: one }) => JSON.stringify(one)?.includes('"__proto__"'));
    expect(polluting).toBeDefined();
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
