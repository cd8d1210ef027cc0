import type { Entry } from '../../../src/tapes/format/tape';
import { engineOf } from '../../../src/tapes/seams/engineOf';

const chosen = (line: string, own: Partial<Entry> = {}) => ({
  t: 0,
  dir: 'out' as const,
  seam: 'engine',
  line,
  ...own,
});
const of = (...entries: Entry[]) => engineOf(entries.map((entry, i) => ({ lineNumber: i + 2, entry })));

describe('engineOf', () => {
  it('is the engine that was chosen first', () => {
    const asked = chosen('"auto"', { dir: 'in' });
    expect(of(asked, chosen('{"engine":"native","reason":"r"}'), chosen('{"engine":"tape"}'))).toBe('native');
  });

  it.each([
    ['nothing was recorded', []],
    ['the choice was not answered', [chosen('"auto"', { dir: 'in' })]],
    ['another seam was', [chosen('{"engine":"native"}', { seam: 'model' })]],
    ['it cannot be read', [chosen('{')]],
    ['it is no object', [chosen('"native"')]],
    ['it is no name', [chosen('{"engine":1}')]],
  ])('is unknown where %s', (_, entries) => {
    expect(of(...entries)).toBeUndefined();
  });
});
