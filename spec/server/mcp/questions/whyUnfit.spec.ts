import { whyUnfit } from '../../../../src/server/mcp/readAnswers';

const form = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer' },
    size: { type: 'number' },
    sure: { type: 'boolean' },
    colour: { type: 'string', enum: ['red', 'blue'] },
    how: { type: 'string', oneOf: [{ const: 'fast', title: 'Fast' }] },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
    titled: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
    free: {},
  },
  required: ['name'],
};

describe('whyUnfit', () => {
  it.each([
    { name: 'Ann' },
    { name: '', age: 3, size: 1.5, sure: false, colour: 'blue', how: 'fast', tags: [], titled: ['a'], free: [1] },
    { name: 'Ann', tags: ['a', 'b'], other: 7 },
  ])('finds nothing wrong with %j', (content) => {
    expect(whyUnfit(form, content)).toBeUndefined();
  });

  it('names a field that is missing', () => {
    expect(whyUnfit(form, { age: 3 })).toBe('the form was accepted without `name`, which it requires');
    expect(whyUnfit(form, Object.create({ name: 'Ann' }))).toContain('`name`');
  });

  it.each([
    { name: null },
    { name: 7 },
    { age: 1.5 },
    { size: '1' },
    { sure: 'yes' },
    { colour: 'green' },
    { colour: ['red'] },
    { how: 'slow' },
    { tags: 'a' },
    { tags: ['c'] },
    { titled: ['b'] },
  ])('names the field whose value is wrong in %j', (wrong) => {
    const [name] = Object.keys(wrong);
    expect(whyUnfit(form, { name: 'Ann', ...wrong })).toBe(
      `the answer of the client has no valid value for \`${name}\``,
    );
  });

  it('asks for nothing when a form names no fields', () => {
    expect(whyUnfit({}, { a: 1 })).toBeUndefined();
    expect(whyUnfit({ properties: { a: 7 } }, { a: 1 })).toContain('`a`');
  });
});
