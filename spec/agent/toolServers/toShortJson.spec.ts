import fc from 'fast-check';
import { toShortJson } from '../../../src/agent/toolServers/callTool';

const lines = (count: number): string => Array.from({ length: count }, (_, i) => `line ${i}`).join('\n');

describe('toShortJson', () => {
  it('keeps what is short', () => {
    expect(toShortJson([{ type: 'text', text: 'a' }])).toBe('[{"type":"text","text":"a"}]');
  });

  it('cuts a long text around a mark that counts its lines', () => {
    const [{ text }] = JSON.parse(toShortJson([{ type: 'text', text: lines(5_000) }]));
    expect(text).toMatch(/^line 0\nline 1\n.*\n\[\.\.\. omitted 4744 of 5000 lines \.\.\.\]\n\n.*\nline 4999$/s);
  });

  it('stays JSON within its measure, whatever the texts are', () => {
    const text = fc.tuple(fc.constantFrom('a', '\n', 'é\n', '"', '\u0000', '😀'), fc.nat(9_000));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (parts) => {
        const value = parts.map(([unit, count]) => ({ text: unit.repeat(count) }));
        const short = toShortJson(value);
        expect(JSON.parse(short)).toHaveLength(value.length);
        expect(Buffer.byteLength(short)).toBeLessThanOrEqual(Math.max(10_240, 8 * 6 * 300));
      }),
    );
  });
});
