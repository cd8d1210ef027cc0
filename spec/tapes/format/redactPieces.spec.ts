import { redactTape } from '../../../src/tapes/format/redactTape';
import type { TapeItem } from '../../../src/tapes/format/tape';

const SECRET = ['ghp', '_0123456789', 'abcdefABCDEF'].join('');
const item = (lineNumber: number, line: object): TapeItem => ({
  kind: 'entry',
  lineNumber,
  entry: { t: 1, dir: 'out', line: JSON.stringify(line) },
});
const delta = (itemId: string, text: string) => ({
  method: 'item/agentMessage/delta',
  params: { itemId, delta: text },
});
const output = (processId: string, seq: number, text: string) => ({
  method: 'process/output',
  params: { processId, seq, stream: 'stdout', chunk: Buffer.from(text).toString('base64') },
});
const linesOf = (items: readonly TapeItem[]) =>
  items.flatMap((one) => (one.kind === 'entry' ? [JSON.parse(one.entry.line)] : []));

describe('redactPieces', () => {
  it('removes a secret that deltas of two messages split, each in its own', () => {
    const [a, b, c] = [SECRET.slice(0, 2), SECRET.slice(2, 9), SECRET.slice(9)];
    const lines = [delta('i', `use ${a}`), delta('j', 'no'), delta('i', b), delta('j', 'ne'), delta('i', `${c}!`)];
    const { items, removed } = redactTape(
      lines.map((line, i) => item(i + 2, line)),
      [],
    );
    expect(linesOf(items)).toEqual([
      delta('i', 'use [redacted]'),
      delta('j', 'no'),
      delta('i', ''),
      delta('j', 'ne'),
      delta('i', '!'),
    ]);
    expect(removed).toEqual([{ lineNumber: 2, kind: 'GitHub token' }]);
  });

  it('removes one from the output of a process, and known values', () => {
    const known = 'a-value-of-mine';
    const lines = [output('p', 1, `${SECRET.slice(0, 8)}`), output('p', 2, `${SECRET.slice(8)}\n${known.slice(0, 5)}`)];
    const { items } = redactTape(
      [...lines, output('p', 3, known.slice(5))].map((line, i) => item(i + 2, line)),
      [known],
    );
    expect(linesOf(items)).toEqual([output('p', 1, '[redacted]\n[redacted]'), output('p', 2, ''), output('p', 3, '')]);
  });

  it('leaves deltas without secrets as they were written', () => {
    const items = [item(2, delta('i', 'a')), item(3, delta('i', 'b'))];
    expect(redactTape(items, []).items.slice(-2)).toEqual(items);
  });
});
