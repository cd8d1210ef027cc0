import fc from 'fast-check';
import { toTapeLines } from '../../src/tape/toTapeLines';

describe('toTapeLines', () => {
  it('writes the lines one by one', () => {
    const texts = fc.array(
      fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', '\r')),
      { minLength: 1 },
    );
    const write = toTapeLines();
    fc.assert(
      fc.property(fc.nat(), texts, (t, lines) => {
        const parts: Buffer[] = [];
        const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
        write(t, { dir: 'in', lines: bytes, count: lines.length }, (part) => parts.push(Buffer.from(part)));
        const single = lines.map((line) => `${JSON.stringify({ t, dir: 'in', line })}\n`).join('');
        expect(Buffer.concat(parts).toString()).toBe(single);
      }),
    );
  });
});
