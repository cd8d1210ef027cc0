import fc from 'fast-check';
import { mergeAllOf } from '../../../src/agent/toolServers/mergeAllOf';

const x = { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] };
const y = { properties: { y: { type: 'number' } }, required: ['y'] };

describe('mergeAllOf', () => {
  it.each<[string, object, object]>([
    [
      'all properties and required names',
      { allOf: [x, y], properties: { z: true }, required: ['z', 'x'] },
      {
        type: 'object',
        properties: { z: true, x: { type: 'string' }, y: { type: 'number' } },
        required: ['z', 'x', 'y'],
      },
    ],
    [
      'the descriptions',
      { allOf: [{ description: 'a' }, { description: 'b' }, { description: 'a' }] },
      { description: 'a\nb' },
    ],
    ['the own description', { allOf: [{ description: 'a' }], description: 'own' }, { description: 'own' }],
    [
      'the own default',
      { allOf: [{ type: 'string', default: 'a' }], default: 'own' },
      { type: 'string', default: 'own' },
    ],
    [
      'the first of what does not matter',
      { allOf: [{ title: 'A' }, { title: 'B', format: 'date' }] },
      { title: 'A', format: 'date' },
    ],
    ['what only one has', { allOf: [x, { additionalProperties: false }] }, { ...x, additionalProperties: false }],
    [
      'a property of two members',
      { allOf: [x, { properties: { x: { description: 'd' } } }] },
      { ...x, properties: { x: { type: 'string', description: 'd' } } },
    ],
    ['what is nested', { allOf: [{ allOf: [x] }, { allOf: [{}] }] }, x],
    [
      'a property that every object has',
      { allOf: [x, { properties: { constructor: {} } }] },
      {
        ...x,
        properties: { x: { type: 'string' }, constructor: {} },
      },
    ],
  ])('merges %s', (_, schema, expected) => {
    expect(mergeAllOf(schema as never)).toEqual(expected);
  });

  it.each<[string, object]>([
    ['no `allOf`', x],
    ['one without members', { allOf: [] }],
    ['one that is none', { allOf: 7 }],
    ['a member that is no object', { allOf: [x, true] }],
    ['two types', { allOf: [x, { type: 'array' }] }],
    ['two choices', { allOf: [{ anyOf: [x] }, { anyOf: [y] }] }],
    ['two defaults', { allOf: [{ default: 1 }, { default: 2 }] }],
    ['a property of two types', { allOf: [x, { properties: { x: { type: 'number' } } }] }],
    ['a property that one of two forbids', { allOf: [x, { properties: { x: false } }] }],
    ['properties that are none', { allOf: [x, { properties: [] }] }],
    ['required names that are none', { allOf: [x, { required: [7] }] }],
    ['what is nested and cannot be merged', { allOf: [{ allOf: [x, { type: 'array' }] }, y] }],
  ])('leaves a schema with %s as it is', (_, schema) => {
    expect(mergeAllOf(schema as never)).toBe(schema);
  });

  it('takes anything', () => {
    fc.assert(
      fc.property(fc.array(fc.object()), fc.object(), (allOf, own) => {
        const schema = { ...own, allOf };
        const whole = mergeAllOf(schema);
        expect(whole === schema || !('allOf' in whole)).toBe(true);
      }),
    );
  });
});
