import fc from 'fast-check';
import { readTape } from '../../../src/tapes/format/readTape';
import type { TapeItem } from '../../../src/tapes/format/tape';
import { toTapeLine } from '../../../src/tapes/format/toTapeLine';
import { through } from '../../support/streams';

describe('toTapeLine', () => {
  it('writes the text of a bad line, and no line for a warning', () => {
    expect(toTapeLine({ kind: 'bad', lineNumber: 1, reason: 'is cut off', text: '{"t":' })).toBe('{"t":');
    expect(toTapeLine({ kind: 'warning', lineNumber: 1, reason: 'is late' })).toBeUndefined();
  });

  it('writes an entry that is read again as it was, other members included', () => {
    const entries = fc.record({
      t: fc.nat(),
      dir: fc.constantFrom('in', 'out'),
      line: fc.string(),
      other: fc.jsonValue(),
    });
    fc.assert(
      fc.property(entries, (entry) => {
        const item = { kind: 'entry', lineNumber: 1, entry } as TapeItem;
        const [read] = through(readTape(), [toTapeLine(item) ?? '']);
        expect(read).toEqual({ ...item, entry: JSON.parse(JSON.stringify(entry)) });
      }),
    );
  });
});
