import { firstLine } from '../../../src/tapes/files/openTape';
import type { TapeFile } from '../../../src/tapes/format/tapeFile';

/** A file of so many bytes, and what is written over them. */
const file = (isFile: boolean, size = 7) => {
  const written: [number, string][] = [];
  const own = {
    isFile,
    size: () => size,
    overwrite: (at: number, bytes: Uint8Array) => written.push([at, Buffer.from(bytes).toString()]),
  };
  return { tape: own as unknown as TapeFile, written };
};

describe('firstLine', () => {
  it('leaves room after the line, in which more members fit later', () => {
    const { tape, written } = file(true);
    const { text, rewrite } = firstLine(tape, { version: 1 });
    expect(JSON.parse(text)).toEqual({ meta: { version: 1 } });
    expect(text).toMatch(/ {512}$/);
    rewrite({ client: 'ü' });
    const [[at, line]] = written as [[number, string]];
    expect(at).toBe(7); // where the line begins
    expect(Buffer.byteLength(line)).toBe(Buffer.byteLength(text));
    expect(JSON.parse(line)).toEqual({ meta: { version: 1, client: 'ü' } });
  });

  it('stays as it is where more does not fit, to the byte', () => {
    const { tape, written } = file(true);
    const { text, rewrite } = firstLine(tape, { version: 1 });
    const members = Buffer.byteLength(JSON.stringify({ client: '' })) - 1; // with the comma, less both brackets
    const longest = 512 - members;
    rewrite({ client: 'x'.repeat(longest + 1) });
    expect(written).toEqual([]);
    rewrite({ client: 'x'.repeat(longest) });
    expect(written[0]?.[1]).toHaveLength(text.length);
  });

  it('has no room in a pipe, which keeps what was written', () => {
    const { tape, written } = file(false);
    const { text, rewrite } = firstLine(tape, { version: 1 });
    expect(text).not.toMatch(/ $/);
    rewrite({ client: 'a' });
    expect(written).toEqual([]);
  });
});
