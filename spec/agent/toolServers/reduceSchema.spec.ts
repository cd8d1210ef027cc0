import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { inlineRefs, reduceSchema } from '../../../src/agent/toolServers/reduceSchema';

/** What Codex 0.28.0 made of each. */
const CASES = readFileSync(join(__dirname, 'schemas.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

/** Members that Codex 0.28.0 dropped and we keep. */
const KEPT: Record<string, object> = {
  ms02: { a: { type: 'string', description: 'd', default: 'x' } },
  ms06: { a: { type: 'string', enum: ['x', 'y'] } },
};

describe('reduceSchema', () => {
  it.each(CASES)('$note ($id)', ({ id, input_schema, offered, parameters }) => {
    const expected = id in KEPT ? { ...parameters, properties: KEPT[id] } : parameters;
    expect(reduceSchema(input_schema)).toEqual(offered ? expected : undefined);
  });

  it('puts definitions where the schema refers to them, as servers in Python write each nested model', () => {
    const $defs = { P: { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] } };
    expect(reduceSchema({ type: 'object', properties: { at: { $ref: '#/$defs/P' } }, $defs })).toEqual({
      type: 'object',
      properties: { at: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
    });
  });

  it('merges the `allOf` of the whole schema, with definitions', () => {
    const $defs = { P: { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] } };
    const own = { properties: { y: { type: 'string' } }, required: ['y'] };
    expect(reduceSchema({ ...own, allOf: [{ $ref: '#/$defs/P' }], $defs })).toEqual({
      type: 'object',
      properties: { y: { type: 'string' }, x: { type: 'number' } },
      required: ['y', 'x'],
    });
    expect(reduceSchema({ ...own, allOf: [{ type: 'array' }], $defs })).toEqual({ type: 'object', ...own });
  });

  it('takes null for a member that is not there, as servers in Go write a schema without arguments', () => {
    const none = { type: null, properties: null, required: null };
    expect(reduceSchema(none)).toEqual({ type: 'object', properties: {} });
    const part = { properties: { x: { type: 'string' } } };
    expect(reduceSchema({ ...none, allOf: [part] })).toEqual({ type: 'object', ...part });
  });

  it.each<[string, object, object | undefined]>([
    ['the first usable type', { type: ['null', 'string', 'object'] }, { type: 'string' }],
    ['a type that only null is left of', { type: ['null'] }, { type: 'string' }],
    ['the values of an enum', { type: 'string', enum: ['x', 'y'] }, { type: 'string', enum: ['x', 'y'] }],
    ['numbers in an enum', { enum: [1, 2] }, { type: 'number', enum: [1, 2] }],
    ['an enum of several kinds', { enum: [1, 'x', null] }, { type: 'string', enum: [1, 'x', null] }],
    ['a default', { type: 'integer', default: 0 }, { type: 'number', default: 0 }],
    [
      'a choice',
      { anyOf: [{ type: 'integer' }, { type: 'string', minLength: 1 }], description: 'd', default: null },
      { anyOf: [{ type: 'number' }, { type: 'string' }], description: 'd', default: null },
    ],
    [
      'a choice of one of several objects',
      {
        oneOf: [
          { type: 'object', properties: { kind: { const: 'a' } }, required: ['kind'] },
          { type: 'null' },
          { type: 'string' },
        ],
      },
      {
        anyOf: [
          { type: 'object', properties: { kind: { type: 'string', enum: ['a'] } }, required: ['kind'] },
          { type: 'string' },
        ],
      },
    ],
    [
      'the one usable choice',
      { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
      { type: 'string', default: null },
    ],
    [
      'an `allOf` of one, as older Python servers write a model with a description',
      { allOf: [{ type: 'object', properties: { x: { type: 'integer' } } }], description: 'd' },
      { type: 'object', properties: { x: { type: 'number' } }, description: 'd' },
    ],
    [
      'an `allOf` of several, as generators for extended and intersected types write it',
      {
        allOf: [
          { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'], description: 'd' },
          { properties: { y: { allOf: [{ type: 'string' }, { description: 'e' }] } } },
        ],
      },
      {
        type: 'object',
        properties: { x: { type: 'number' }, y: { type: 'string', description: 'e' } },
        required: ['x'],
        description: 'd',
      },
    ],
    [
      'an `allOf` that cannot be merged, as before',
      { allOf: [{ type: 'object' }, { type: 'array' }] },
      { type: 'string' },
    ],
    [
      'a map',
      { type: 'object', additionalProperties: { type: 'integer', minimum: 1, description: 'd' } },
      { type: 'object', properties: {}, additionalProperties: { type: 'number', description: 'd' } },
    ],
    [
      'a map of choices',
      { type: 'object', additionalProperties: { anyOf: [{ type: 'string' }, { type: 'boolean' }] } },
      { type: 'object', properties: {}, additionalProperties: { anyOf: [{ type: 'string' }, { type: 'boolean' }] } },
    ],
    [
      'a map of anything',
      { type: 'object', additionalProperties: {} },
      { type: 'object', properties: {}, additionalProperties: true },
    ],
    [
      'a map of what cannot be written',
      { type: 'object', additionalProperties: { type: 'null' } },
      { type: 'object', properties: {}, additionalProperties: true },
    ],
    ['no choice', { anyOf: [{ type: 'null' }] }, undefined],
    [
      'a choice between the members of an object',
      {
        type: 'object',
        properties: { b: {} },
        anyOf: [{ required: ['b'] }, { properties: { c: { type: 'string' } } }],
      },
      {
        type: 'object',
        properties: { b: { type: 'string' } },
        anyOf: [
          { type: 'object', properties: {}, required: ['b'] },
          { type: 'object', properties: { c: { type: 'string' } } },
        ],
      },
    ],
  ])('takes %s', (_, schema, expected) => {
    const root = (a: object) => ({ type: 'object', properties: { a } });
    expect(reduceSchema(root(schema))).toEqual(expected && root(expected));
  });

  it.each([
    [undefined, { type: 'object', properties: {} }],
    [7, { type: 'object', properties: {} }],
    [{ type: 'object', required: 'x' }, undefined],
    [{ type: 'object', properties: { a: 7 } }, undefined],
    [{ type: 'object', properties: { a: { type: ['null'], enum: [null] } } }, expect.anything()],
  ])('takes %j', (schema, expected) => {
    expect(reduceSchema(schema)).toEqual(expected);
  });

  it('takes anything, and what it gives back it gives back again', () => {
    fc.assert(
      fc.property(fc.object(), (properties) => {
        const once = reduceSchema({ type: 'object', properties });
        if (once) expect(reduceSchema(once)).toEqual(once);
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
