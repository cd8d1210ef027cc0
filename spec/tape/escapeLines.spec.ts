import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import loadWabt from 'wabt';
import { type EscapeLines, escapeByJson, lineEscaper } from '../../src/tape/escapeLines';
import { ESCAPE_MODULE } from '../../src/tape/escapeModule';

const WAT = join(__dirname, '../../src/tape/escapeLines.wat');

const escaped = (escaping: EscapeLines, lines: string, border: string): string => {
  const parts: Buffer[] = [];
  escaping(Buffer.from(lines), Buffer.from(border), (part) => parts.push(Buffer.from(part)));
  return Buffer.concat(parts).toString();
};

/** What both must write. */
const byHand = (lines: string, border: string): string =>
  lines
    .split('\n')
    .map((line) => JSON.stringify(line).slice(1, -1))
    .join(border);

/** Mostly characters that are escaped, and long runs of others. */
const lines = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '"', '\\', '\0', '\r', '\x1f', '\x7f', 'ü', '日', '😀'),
      fc.string({ maxLength: 60 }),
    ),
  )
  .map((parts) => Buffer.from(parts.join('')).toString()); // without lone surrogates
const border = fc.string({ unit: 'binary-ascii', maxLength: 60 });

describe.each([
  ['lineEscaper', lineEscaper()],
  ['escapeByJson', escapeByJson],
])('%s', (_, escaping) => {
  it('escapes as JSON strings do, with the border between lines', () => {
    fc.assert(
      fc.property(lines, border, (text, between) => {
        expect(escaped(escaping, text, between)).toBe(byHand(text, between));
      }),
    );
  });

  it('escapes every byte of ASCII', () => {
    const all = String.fromCharCode(...Array(128).keys());
    expect(escaped(escaping, all, '|')).toBe(byHand(all, '|'));
  });

  it.each([1, 15, 16, 17, 8_191, 16_352, 16_353, 100_000])('escapes %d bytes, all of them in need of it', (length) => {
    for (const byte of ['\x01', '"', '\n']) {
      const text = byte.repeat(length);
      expect(escaped(escaping, text, '-'.repeat(64)) === byHand(text, '-'.repeat(64))).toBe(true);
    }
  });
});

describe('lineEscaper', () => {
  it('is the slower function where there is no WebAssembly', () => {
    const { WebAssembly } = globalThis as Record<string, unknown>;
    try {
      Reflect.deleteProperty(globalThis, 'WebAssembly');
      expect(lineEscaper()).toBe(escapeByJson);
    } finally {
      Object.assign(globalThis, { WebAssembly });
    }
  });
});

describe('ESCAPE_MODULE', () => {
  it('is what wabt assembles of escapeLines.wat', async () => {
    const wabt = await loadWabt();
    const features = { simd: true, bulk_memory: true };
    const { buffer } = wabt.parseWat('escapeLines.wat', readFileSync(WAT, 'utf8'), features).toBinary({});
    expect(ESCAPE_MODULE).toBe(Buffer.from(buffer).toString('base64'));
  });
});
