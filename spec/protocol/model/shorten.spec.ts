import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { firstBytes, shorten } from '../../../src/protocol/model/shorten';

type Case = { id: string; note: string; segments: [string, number][]; output_bytes: number; output_sha256: string };

/** Source: Codex 0.28.0, 21 recorded outputs of its shell tool, as digests. */
const cases: Case[] = readFileSync(join(__dirname, 'cases/exec_output_dev.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

const inputOf = ({ segments }: Case): string => segments.map(([text, times]) => text.repeat(times)).join('');
const shaOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const MIDDLE = /\n\[\.\.\. omitted \d+ of \d+ bytes \.\.\.\]\n\n/;

/** Where ours differs on purpose. */
const BETTER: Record<string, string[]> = {
  'the end of the output stays': ['tr08', 'tr09', 'tr11', 'tr23'],
  'a mark that counts 0 lines counts bytes instead': ['tr12', 'tr13', 'tr26'],
};
const better = Object.values(BETTER).flat();

describe('shorten', () => {
  it.each(cases.filter(({ id }) => !better.includes(id)))('does as the original: $id $note', (one) => {
    const text = shorten(inputOf(one));
    expect([Buffer.byteLength(text), shaOf(text)]).toEqual([one.output_bytes, one.output_sha256]);
  });

  it.each(cases.filter(({ id }) => better.includes(id)))('does better than the original: $id $note', (one) => {
    const input = inputOf(one);
    const [head = '', tail = '', ...more] = shorten(input).split(MIDDLE);
    expect(shaOf(shorten(input))).not.toBe(one.output_sha256);
    expect(more).toEqual([]);
    expect(input.startsWith(head)).toBe(true);
    expect(input.replace(/\n$/, '').endsWith(tail)).toBe(true);
    expect([Buffer.byteLength(head), tail === '']).toEqual([5120, false]);
  });

  it('keeps the very end of one long line', () => {
    const mark = '\n[... omitted 29801 of 40000 bytes ...]\n\n';
    const end = 'z'.repeat(10_240 - 5120 - mark.length);
    expect(shorten(`${'a'.repeat(20_000)}${'z'.repeat(20_000)}`)).toBe(`${'a'.repeat(5120)}${mark}${end}`);
  });

  it('cuts between characters only', () => {
    const text = shorten(`x${'😀'.repeat(5000)}`);
    expect(text).not.toContain('\ufffd');
    expect(text.split(MIDDLE).map((part) => Buffer.byteLength(part))).toEqual([5117, 5080]);
  });

  it('never exceeds its measure, and keeps the beginning and the end of anything', () => {
    const line = fc
      .tuple(fc.constantFrom('', 'a', 'é', '😀', 'ab\r', '\r'), fc.nat(300))
      .map(([unit, n]) => unit.repeat(n));
    const text = fc
      .tuple(fc.array(line, { maxLength: 40 }), fc.nat(400), fc.boolean())
      .map(
        ([lines, empty, ends]) => [...lines, ...Array<string>(empty).fill('-'), 'end'].join('\n') + (ends ? '\n' : ''),
      );
    const plain = (one: string) => one.replaceAll('\r\n', '\n').replace(/\n$/, '');
    fc.assert(
      fc.property(text, (whole) => {
        const short = shorten(whole);
        if (short === whole) return;
        const [, head = '', tail = ''] = /^(.*?)\n\[\.\.\. [^\n]* \.\.\.\]\n\n(.*)$/s.exec(short) ?? [];
        expect(Buffer.byteLength(short)).toBeLessThanOrEqual(10_240);
        expect(short).not.toContain('\ufffd');
        expect(plain(whole).startsWith(head)).toBe(true);
        expect(plain(whole).endsWith(tail)).toBe(true);
        expect(tail).not.toBe('');
      }),
    );
  });
});

describe('firstBytes', () => {
  it.each([
    ['aé', 3, 'aé'],
    ['aé', 2, 'a'],
    ['😀', 3, ''],
    ['', 0, ''],
  ])('of %j and %i is %j', (text, max, start) => {
    expect(firstBytes(text, max)).toBe(start);
  });
});
