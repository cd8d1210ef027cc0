import fc from 'fast-check';
import { schemaFault } from '../../../src/testing/conform/schemaFault';

describe('schemaFault', () => {
  it.each([
    [{}, undefined],
    [true, undefined],
    [{ type: ['string', 'null'], enum: ['a'], minLength: 1 }, undefined],
    [{ type: 'object', properties: { a: { $ref: '#/$defs/a' } }, required: ['a'], $defs: { a: {} } }, undefined],
    [{ items: [{ type: 'string' }], additionalItems: false }, undefined],
    [null, 's is no schema'],
    [{ type: 'text' }, 's.type is "text"'],
    [{ type: ['string', 'string'] }, 's.type is ["string","string"]'],
    [{ $schema: 'https://example.com' }, 's.$schema is "https://example.com"'],
    [{ required: 'a' }, 's.required is "a"'],
    [{ properties: { a: { minLength: -1 } } }, 's.properties.a.minLength is -1'],
    [{ properties: [] }, 's.properties is no object'],
    [{ anyOf: [] }, 's.anyOf is no list with schemas'],
    [{ oneOf: [{}, { pattern: '(' }] }, 's.oneOf.1.pattern is "("'],
    [{ not: 1 }, 's.not is no schema'],
    [{ items: { enum: 'a' } }, 's.items.enum is "a"'],
  ])('%j: %s', (schema, fault) => {
    expect(schemaFault(schema, 's')).toBe(fault);
  });

  it('takes any JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => ['string', 'undefined'].includes(typeof schemaFault(value, 's'))));
  });
});
