import fc from 'fast-check';
import { readTape } from '../../../src/tapes/format/readTape';
import { redactTape } from '../../../src/tapes/format/redactTape';
import type { TapeItem } from '../../../src/tapes/format/tape';
import {
  framingOf,
  toRecorded,
  toTapeLine,
  toTapeLines,
  toTexts,
  withLength,
} from '../../../src/tapes/format/tapeLines';
import { anyText } from '../../support/hostile';
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
      anyText().map((text) => text.replaceAll('\n', '\r')),
      { minLength: 1 },
    );
    fc.assert(fc.property(fc.nat(), texts, (t, lines) => expect(written(t, lines)).toBe(single(t, lines))));
  });

  it('escapes every character of ASCII, and no other', () => {
    const lines = [`${String.fromCharCode(...Array(128).keys())}\u0080ü日😀`.replace('\n', '')];
    expect(written(1, lines)).toBe(single(1, lines));
  });
});

describe('toTexts', () => {
  it('decodes lines that were recorded together', () => {
    const texts = ['ü', '', '日本'].map((line) => ({ dir: 'in', line }));
    const recorded = { dir: 'in', lines: Buffer.from('ü\n\n日本\n'), count: 3 } as const;
    expect(toTexts(recorded)).toEqual(texts);
    expect(toTexts(recorded, 2)).toEqual(texts.slice(0, 2));
  });

  it('leaves a single line as it is', () => {
    const recorded = { dir: 'out', line: 'x', end: '' };
    expect(toTexts(recorded)).toEqual([recorded]);
  });
});

describe('withLength', () => {
  it('corrects the length in bytes, and leaves other headers', () => {
    const entry = { dir: 'out', head: 'Content-Type: x\r\nContent-Length: 99\r\n\r\n', line: '{"a":"ö"}', end: '' };
    expect(withLength(entry)).toEqual({ ...entry, head: 'Content-Type: x\r\nContent-Length: 10\r\n\r\n' });
    expect(withLength({ dir: 'out', line: 'x' })).toEqual({ dir: 'out', line: 'x' });
  });

  it('is that of the redacted line', () => {
    const line = '{"api_key":"sk-1234567890abcdefghij"}';
    const entry = { t: 0, ...toRecorded('in', line, 'contentLength') };
    const { items } = redactTape([{ kind: 'entry', lineNumber: 1, entry }], []);
    const redacted = items.flatMap((item) => (item.kind === 'entry' ? [item.entry] : []));
    expect(redacted).toEqual([{ ...entry, line: '{"api_key":"[redacted]"}', head: 'Content-Length: 24\r\n\r\n' }]);
  });
});

describe('framingOf', () => {
  it('is that of the messages', () => {
    const entryOf = (framing: 'lines' | 'contentLength') => ({ entry: { t: 0, ...toRecorded('in', '{}', framing) } });
    expect(framingOf({ entries: [entryOf('lines')] })).toBe('lines');
    expect(framingOf({ entries: [entryOf('lines'), entryOf('contentLength')] })).toBe('contentLength');
  });
});
