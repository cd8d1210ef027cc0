import fc from 'fast-check';
import { toTapeLines } from '../../src/tape/toTapeLines';

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
