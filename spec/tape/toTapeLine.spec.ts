import fc from 'fast-check';
import { readTape, type TapeItem, toTapeLine, toTapeLines } from '../../src/tape';
import { through } from '../support/streams';

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

describe('toTapeLines', () => {
  it('writes the bytes of the lines one by one', () => {
    const texts = fc.array(fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', '\r')));
    fc.assert(
      fc.property(fc.nat(), texts, (t, lines) => {
        const bytes = lines.map((line) => Buffer.from(line).toString('latin1'));
        const single = lines.map((line) => `${JSON.stringify({ t, dir: 'in', line })}\n`).join('');
        expect(Buffer.from(toTapeLines(t, { dir: 'in', lines: bytes }), 'latin1').toString()).toBe(single);
      }),
    );
  });
});
