import { CHANCE_SEAM, recordChance } from '../../../src/tapes/format/chance';
import type { RecordedLine } from '../../../src/tapes/format/tape';

describe('recordChance', () => {
  it('records each value that is drawn, with its name', () => {
    const lines: RecordedLine[] = [];
    let count = 0;
    const draw = recordChance((line) => lines.push(line))('id', () => `id-${++count}`);
    expect([draw(), draw()]).toEqual(['id-1', 'id-2']);
    expect(lines).toEqual(['id-1', 'id-2'].map((id) => ({ dir: 'out', seam: CHANCE_SEAM, line: `["id","${id}"]` })));
  });

  it('leaves a source as it is without a tape', () => {
    expect(recordChance(undefined)('time', Date.now)).toBe(Date.now);
  });
});
