import fc from 'fast-check';
import { inlineRefs, reduceSchema, toolSchema } from '../../../src/agent/toolServers/reduceSchema';

describe('toolSchema', () => {
  it.each([
    { type: 'object', properties: {}, $schema: 'http://json-schema.org/draft-07/schema#' },
    {
      type: 'object',
      properties: {
        any: {},
        list: { type: ['string', 'number', 'null'] },
        one: { enum: [1, -1] },
        at: { $ref: '#/$defs/P' },
      },
      required: ['any'],
      oneOf: [{ required: ['list'] }],
      $defs: { P: { type: 'integer', minimum: 1 } },
    },
  ])('is the schema as the server gave it: %j', (schema) => {
    expect(toolSchema(schema)).toBe(schema); // no copy of a schema that may have tens of thousands of members
  });

  it('has a constant as an enum of one too, wherever there is a schema', () => {
    const [one, both] = [{ const: 1 }, { const: 1, enum: [1] }];
    const around = (part: object) => ({
      type: 'object',
      properties: { const: part, list: { type: 'array', items: { anyOf: [part, { type: 'null' }] } } },
      additionalProperties: part,
      $defs: { const: part },
      default: { const: 1 },
    });
    expect(toolSchema(around(one))).toEqual(around(both));
    expect(toolSchema({ properties: { a: one } })).toEqual({ type: 'object', properties: { a: both } });
  });

  it.each<[string, unknown, object | undefined]>([
    ['nothing', undefined, { type: 'object', properties: {} }],
    ['what is no schema', 7, { type: 'object', properties: {} }],
    ['a schema without a type', { properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
    ['a schema without properties', { type: 'object', anyOf: [] }, { type: 'object', properties: {}, anyOf: [] }],
    [
      'null for members, as servers in Go write it',
      { type: null, properties: null, required: null },
      { type: 'object', properties: {} },
    ],
    ['a list of types', { type: ['null', 'object'] }, { type: 'object', properties: {} }],
    ['another type', { type: 'string' }, undefined],
    ['properties that are none', { type: 'object', properties: [] }, undefined],
    ['required names that are none', { type: 'object', required: 'x' }, undefined],
  ])('of %s', (_, schema, expected) => {
    expect(toolSchema(schema)).toEqual(expected);
  });
});

describe('reduceSchema', () => {
  it.each<[string, unknown, object]>([
    [
      'a description of an object',
      { type: 'object', properties: {}, description: 'd' },
      { type: 'object', properties: {}, description: 'd' },
    ],
    [
      'a description of a choice',
      { anyOf: [{ type: 'string', description: 'd' }] },
      { anyOf: [{ type: 'string', description: 'd' }] },
    ],
    ['any value', {}, {}],
    ['any value with a description', { description: 'd' }, { description: 'd' }],
    ['any value, as true', true, {}],
    ['an integer', { type: 'integer', default: 0, minimum: 0 }, { type: 'integer', default: 0 }],
    ['null', { type: 'null' }, { type: 'null' }],
    [
      'a list of types',
      { type: ['string', 'number', 'null'] },
      { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    ],
    ['a list of one type', { type: ['string'] }, { type: 'string' }],
    [
      'a list with an array',
      { type: ['array', 'null'], items: { type: 'integer' } },
      { anyOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'null' }] },
    ],
    ['a constant number', { const: 1 }, { type: 'number', enum: [1] }],
    ['a constant that is null', { const: null }, { enum: [null] }],
    [
      'constants',
      { anyOf: [{ const: 1 }, { const: -1 }] },
      {
        anyOf: [
          { type: 'number', enum: [1] },
          { type: 'number', enum: [-1] },
        ],
      },
    ],
    ['values of several kinds', { enum: [1, 'x', null] }, { enum: [1, 'x', null] }],
    [
      'a choice of one of several',
      { oneOf: [{ type: 'integer' }, { type: 'null' }], description: 'd' },
      { anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'd' },
    ],
    [
      'a choice beside properties',
      { properties: { a: {} }, anyOf: [{ required: ['a'] }] },
      { type: 'object', properties: { a: {} }, anyOf: [{ type: 'object', properties: {}, required: ['a'] }] },
    ],
    [
      'a map',
      { type: 'object', additionalProperties: { type: 'integer', minimum: 1 } },
      { type: 'object', properties: {}, additionalProperties: { type: 'integer' } },
    ],
    [
      'a map of anything',
      { type: 'object', additionalProperties: {} },
      { type: 'object', properties: {}, additionalProperties: {} },
    ],
    [
      'no map',
      { type: 'object', additionalProperties: false },
      { type: 'object', properties: {}, additionalProperties: false },
    ],
    ['an array of anything', { type: 'array' }, { type: 'array', items: {} }],
    ['what a member implies', { minLength: 1 }, { type: 'string' }],
    [
      'an `allOf`',
      { allOf: [{ type: 'object', properties: { x: { type: 'integer' } } }], description: 'd' },
      { type: 'object', properties: { x: { type: 'integer' } }, description: 'd' },
    ],
    [
      'an `allOf` that cannot be merged',
      { allOf: [{ type: 'object' }, { type: 'array' }], description: 'd' },
      { description: 'd' },
    ],
    ['a property that is no schema', 7, {}],
  ])('keeps %s', (_, schema, expected) => {
    const root = (a: unknown) => ({ type: 'object', properties: { a } });
    expect(reduceSchema(root(schema))).toEqual(root(expected));
  });

  it('puts definitions where the schema refers to them, and leaves other members of the root out', () => {
    const $defs = { P: { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] } };
    const schema = { type: 'object', properties: { at: { $ref: '#/$defs/P' } }, $defs, $schema: 's', title: 't' };
    expect(reduceSchema(schema)).toEqual({ type: 'object', properties: { at: $defs.P } });
    const merged = { type: 'object', properties: {}, allOf: [{ $ref: '#/$defs/P' }], $defs, description: 'd' };
    expect(reduceSchema(merged)).toEqual({ ...$defs.P, description: 'd' });
  });

  it('keeps a choice at the root, or the properties of all its members, if that is refused too', () => {
    const kind = (value: string) => ({ type: 'string', enum: [value] });
    const schema = {
      type: 'object',
      properties: { path: { type: 'string' } },
      required: ['path'],
      oneOf: [
        { properties: { kind: { const: 'a' }, x: { type: 'integer' } }, required: ['kind', 'x'] },
        { properties: { kind: { const: 'b' } }, required: ['kind'] },
      ],
    };
    const properties = { path: { type: 'string' } };
    const choice = (own: object, ...required: string[]) => ({ type: 'object', properties: own, required });
    expect(reduceSchema(schema)).toEqual({
      type: 'object',
      properties,
      required: ['path'],
      anyOf: [choice({ kind: kind('a'), x: { type: 'integer' } }, 'kind', 'x'), choice({ kind: kind('b') }, 'kind')],
    });
    expect(reduceSchema(schema, 'objects')).toEqual({
      type: 'object',
      properties: { ...properties, kind: { anyOf: [kind('a'), kind('b')] }, x: { type: 'integer' } },
      required: ['path', 'kind'],
    });
  });

  it('takes anything, and what it gives back it gives back again', () => {
    fc.assert(
      fc.property(fc.object(), fc.constantFrom('choices' as const, 'objects' as const), (properties, reduction) => {
        const once = reduceSchema({ type: 'object', properties }, reduction);
        if (once) expect(reduceSchema(once, reduction)).toEqual(once);
      }),
    );
  });
});

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
