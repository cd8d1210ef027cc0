import fc from 'fast-check';
import { inlineRefs } from '../../../src/agent/toolServers/reduceSchema';

const POINT = { type: 'object', properties: { x: { type: 'number' } } };

const inlined = (part: object, $defs: object): unknown => inlineRefs({ $defs } as never, part);

describe('inlineRefs', () => {
  it.each<[string, object, object, object]>([
    ['a reference', { a: { $ref: '#/$defs/P' } }, { P: POINT }, { a: POINT }],
    [
      'a description beside it',
      { a: { $ref: '#/$defs/P', description: 'd' } },
      { P: POINT },
      { a: { ...POINT, description: 'd' } },
    ],
    ['references in an array', { anyOf: [{ $ref: '#/$defs/P' }] }, { P: POINT }, { anyOf: [POINT] }],
    [
      'a reference in a definition',
      { a: { $ref: '#/$defs/L' } },
      { L: { type: 'array', items: { $ref: '#/$defs/P' } }, P: POINT },
      { a: { type: 'array', items: POINT } },
    ],
    [
      'a definition within itself, with its type only',
      { a: { $ref: '#/$defs/T' } },
      { T: { type: 'object', properties: { next: { $ref: '#/$defs/T' } } } },
      { a: { type: 'object', properties: { next: { type: 'object' } } } },
    ],
    ['a name with characters of a pointer', { a: { $ref: '#/$defs/a~1b%25' } }, { 'a/b%': POINT }, { a: POINT }],
    ['a member of every object', { a: { $ref: '#/$defs/toString' } }, {}, { a: { $ref: '#/$defs/toString' } }],
    ['a reference that leads nowhere', { a: { $ref: '#/$defs/Q' } }, { P: POINT }, { a: { $ref: '#/$defs/Q' } }],
    [
      'another document',
      { a: { $ref: 'https://a/b#/$defs/P' } },
      { P: POINT },
      { a: { $ref: 'https://a/b#/$defs/P' } },
    ],
    ['a property of that name', { $ref: { type: 'string' } }, {}, { $ref: { type: 'string' } }],
  ])('%s', (_, part, defs, expected) => {
    expect(inlined(part, defs)).toEqual(expected);
  });

  it('ends where each definition refers to the next one twice', () => {
    const defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `d${i}`,
        { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
      ]),
    );
    expect(JSON.stringify(inlined({ $ref: '#/$defs/d0' }, defs)).length).toBeLessThan(2_000_000);
  });

  it('ends for any definitions that refer to each other', () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const { schema } = fc.letrec((tie) => ({
      schema: fc.oneof(
        { maxDepth: 4 },
        name.map((to) => ({ $ref: `#/$defs/${to}` })),
        fc.record({ items: tie('schema') }),
        fc.record({ anyOf: fc.array(tie('schema'), { maxLength: 3 }) }),
      ),
    }));
    fc.assert(
      fc.property(schema, fc.dictionary(name, schema), (part, defs) => {
        expect(inlined(part as object, defs)).toBeDefined();
      }),
    );
  });
});
