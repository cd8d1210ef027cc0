import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { reduceSchema } from '../../src/toolServers/reduceSchema';

/** What Codex 0.28.0 made of each. */
const CASES = readFileSync(join(__dirname, 'schemas.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

describe('reduceSchema', () => {
  it.each(CASES)('$note ($id)', ({ input_schema, offered, parameters }) => {
    expect(reduceSchema(input_schema)).toEqual(offered ? parameters : undefined);
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
