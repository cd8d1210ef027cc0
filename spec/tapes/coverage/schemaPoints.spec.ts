import { schemaPoints } from '../../../src/tapes/coverage/schemaPoints';

const shown = (schema: unknown): string[] =>
  schemaPoints(schema).map(({ shown: name, optionalIn, values }) =>
    [name, ...(optionalIn === undefined ? [] : ['?']), ...values].join(' '),
  );

describe('schemaPoints', () => {
  it('lists members, what may be left out, and values of which there are few', () => {
    const schema = {
      type: 'object',
      required: ['path'],
      properties: {
        path: { type: 'string' },
        mode: { enum: ['fast', null] },
        deep: { type: 'boolean' },
        only: { enum: ['x'] },
        tags: { items: { properties: { name: {} }, required: ['name'] } },
      },
    };
    expect(shown(schema)).toEqual([
      'path',
      'mode ? "fast" null',
      'deep ? false true',
      'only ?',
      'tags ?',
      'tags[]',
      'tags[].name',
    ]);
  });

  it('joins the forms of a choice', () => {
    expect(
      shown({
        anyOf: [
          { properties: { kind: { enum: ['a', 'b'] } }, required: ['kind'] },
          { properties: { kind: { enum: ['b', 'c'] }, size: {} } },
        ],
      }),
    ).toEqual(['kind ? "a" "b" "c"', 'size ?']);
  });

  it('follows references, those of a schema to itself once', () => {
    const node = { properties: { value: {}, next: { $ref: '#/$defs/node' } } };
    expect(shown({ $ref: '#/$defs/node', $defs: { node } })).toEqual(['value ?', 'next ?']);
    expect(shown({ $ref: '#/$defs/none' })).toEqual([]);
  });

  it('keeps names with the signs of a path apart', () => {
    const keys = schemaPoints({ properties: { 'a/b': {}, a: { properties: { b: {} } }, '~2': {}, c: { items: {} } } });
    expect(new Set(keys.map(({ key }) => key)).size).toBe(6);
  });

  it.each([[undefined], [null], [true], [{ properties: 1, items: [], anyOf: {}, required: {} }]])(
    'lists nothing of %j',
    (schema) => {
      expect(shown(schema)).toEqual([]);
    },
  );

  it('ends with schemas that multiply', () => {
    const defs = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => {
        const next = { $ref: `#/$defs/d${i + 1}` };
        return [
          `d${i}`,
          { properties: Object.fromEntries(Array.from({ length: 9 }, (_, name) => [`m${name}`, next])) },
        ];
      }),
    );
    expect(schemaPoints({ $ref: '#/$defs/d0', $defs: defs }).length).toBeLessThan(2_000);
  });
});
