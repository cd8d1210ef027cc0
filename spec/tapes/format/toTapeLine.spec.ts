import fc from 'fast-check';
import { readTape } from '../../../src/tapes/format/readTape';
import type { TapeItem } from '../../../src/tapes/format/tape';
import { toTapeLine, toTapeLines } from '../../../src/tapes/format/toTapeLine';
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

/** The lines of the tape for these lines. */
const written = (t: number, lines: readonly string[]): string =>
  toTapeLines(t, {
    dir: 'in',
    lines: Buffer.from(lines.map((line) => `${line}\n`).join('')),
    count: lines.length,
  }).toString();

const single = (t: number, lines: readonly string[]): string =>
  lines.map((line) => `${JSON.stringify({ t, dir: 'in', line })}\n`).join('');

describe('toTapeLines', () => {
  it('writes the lines one by one', () => {
    const texts = fc.array(
      fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', '\r')),
      { minLength: 1 },
    );
    fc.assert(fc.property(fc.nat(), texts, (t, lines) => expect(written(t, lines)).toBe(single(t, lines))));
  });

  it('escapes every character of ASCII, and no other', () => {
    const lines = [`${String.fromCharCode(...Array(128).keys())}\u0080ü日😀`.replace('\n', '')];
    expect(written(1, lines)).toBe(single(1, lines));
  });
});
