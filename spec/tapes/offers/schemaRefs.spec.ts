import { resolved } from '../../../src/tapes/offers/schemaRefs';

describe('resolved', () => {
  const root = {
    $defs: { a: { type: 'string' }, 'b/c': { $ref: '#/$defs/a', title: 'B' }, loop: { $ref: '#/$defs/loop' } },
  };

  it.each<[string, unknown, object]>([
    ['a schema as it is', { type: 'null' }, { type: 'null' }],
    [
      'what it refers to, with what stands beside the reference',
      { $ref: '#/$defs/a', title: 'A' },
      { type: 'string', title: 'A' },
    ],
    ['a reference to a reference', { $ref: '#/$defs/b~1c' }, { type: 'string', title: 'B' }],
    ['nothing of a reference that leads nowhere', { $ref: '#/$defs/none' }, {}],
    ['a reference to another document', { $ref: 'https://x.test/a' }, { $ref: 'https://x.test/a' }],
    ['false as a schema that nothing fits', false, { not: {} }],
    ['true as a schema that all fits', true, {}],
  ])('is %s', (_, schema, expected) => {
    expect(resolved(schema, root)).toEqual(expected);
  });

  it('ends with a reference to itself', () => {
    expect(resolved({ $ref: '#/$defs/loop' }, root)).toEqual({ $ref: '#/$defs/loop' });
  });
});
