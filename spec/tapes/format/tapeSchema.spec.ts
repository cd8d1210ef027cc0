import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tapeJsonSchema } from '../../../src/tapes/format/readTape';

describe('tapeJsonSchema', () => {
  it('stands in the docs', () => {
    const docs = readFileSync(join(__dirname, '../../../docs/tapes.md'), 'utf8');
    const [, schema] = /```json\n(\{\n {2}"\$schema"[\s\S]*?)```/.exec(docs) ?? [];
    expect(JSON.parse(schema ?? 'null')).toEqual(tapeJsonSchema());
  });
});
