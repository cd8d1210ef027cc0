import fc from 'fast-check';
import {
  asReceived,
  countInjected,
  damagedText,
  type Fate,
  fateText,
  flawOfFaults,
  readFaults,
} from '../../../src/tapes/faults/faults';
import type { Entry, Session } from '../../../src/tapes/format/tape';

describe('readFaults', () => {
  it('reads signs and times', () => {
    expect(readFaults('-x2s-1.5msD?#|*')).toEqual({
      faults: [
        { kind: 'pass', afterMs: 0 },
        { kind: 'drop', afterMs: 0 },
        { kind: 'pass', afterMs: 2_000 },
        { kind: 'double', afterMs: 1.5 },
        { kind: 'random', afterMs: 0 },
        { kind: 'crash', afterMs: 0 },
        { kind: 'end', afterMs: 0 },
      ],
      repeat: 'again',
    });
  });

  it.each(['', '*', 'a', '--y', '- -'])('rejects %j', (text) => {
    expect(readFaults(text)).toBeUndefined();
  });

  const fault = (kind: string, afterMs = 0) => ({ kind, afterMs });

  it.each([
    ['-xDc?#|', ['pass', 'drop', 'double', 'cut', 'random', 'crash', 'end'].map((kind) => fault(kind)), 'once'],
    ['-*', [fault('pass')], 'again'],
    ['2s-', [fault('pass', 2_000)], 'once'],
    ['1m2s3ms-x', [fault('pass', 62_003), fault('drop')], 'once'],
    ['-2s', [fault('pass'), fault('pass', 2_000)], 'once'],
    ['D+2s-', [{ ...fault('double'), againMs: 2_000 }, fault('pass')], 'once'],
    ['1sD+1.5ms*', [{ ...fault('double', 1_000), againMs: 1.5 }], 'again'],
    ['g', [fault('garble')], 'once'],
    ['1.5s#', [fault('crash', 1_500)], 'once'],
  ])('reads %s', (text, faults, repeat) => {
    expect(readFaults(text)).toEqual({ faults, repeat });
  });

  it.each([[''], ['*'], ['a'], ['-y'], ['2h-'], ['- x'], ['-**'], ['D+'], ['x+2s'], ['D+2'], ['+2s']])(
    'reads nothing in %j',
    (text) => {
      expect(readFaults(text)).toBeUndefined();
    },
  );

  it('has one fault for each sign, and begins again for each text', () => {
    const sign = fc.constantFrom('-', 'x', 'D', 'D+2s', 'c', 'g', '?', '#', '|');
    fc.assert(
      fc.property(fc.array(sign, { minLength: 1 }), (signs) => {
        expect(readFaults(signs.join(''))?.faults).toHaveLength(signs.length);
      }),
    );
  });
});

describe('damagedText', () => {
  const message = fc.record({ id: fc.nat(), result: fc.object() }).map((value) => JSON.stringify(value));

  it('is no JSON', () => {
    fc.assert(
      fc.property(message, fc.constantFrom('cut' as const, 'garble' as const), (line, kind) => {
        expect(() => JSON.parse(damagedText(kind, line))).toThrow(SyntaxError);
      }),
    );
  });

  it('leaves lines alone that have other fates', () => {
    expect(damagedText('double', 'a')).toBe('a');
  });
});

describe('texts', () => {
  it('name what happens to a line', () => {
    const text = (row: string) => fateText({ ...readFaults(row)?.faults[0], number: 1 } as Fate);
    expect(['-', 'x', 'D', 'D+2s', 'c', 'g', '3ms', '3msx'].map(text)).toEqual([
      undefined,
      'is lost',
      'comes twice',
      'comes again after 2000 ms',
      'is cut in half',
      'is garbled',
      'waits 3 ms',
      'waits 3 ms, and is lost',
    ]);
  });

  it('name what is wrong with a row', () => {
    expect([flawOfFaults('-x*'), flawOfFaults('y')]).toEqual([
      undefined,
      'y cannot be read; write signs as in ---x-2s-D, and a * at the end to start over',
    ]);
  });
});

const session = (...entries: (Partial<Entry> & { dir: string; line: string })[]): Session => ({
  meta: {},
  entries: entries.map((entry, i) => ({ lineNumber: i + 2, entry: { t: i, ...entry } })),
});
const linesOf = ({ entries }: Session): string[] => entries.map(({ entry: { dir, line } }) => `${dir} ${line}`);

const request = (id: number) => `{"id":${id},"method":"m"}`;

describe('asReceived', () => {
  it('has the lines of the client as the server got them, and those of the server as it sent them', () => {
    const tape = session(
      { dir: 'in', line: 'lost', injected: 'is lost' },
      { dir: 'in', line: 'two', injected: 'waits 5 ms, and comes again after 3 ms' },
      { dir: 'in', line: '1234', head: 'Content-Length: 4\r\n\r\n', end: '', injected: 'is cut in half' },
      { dir: 'in', line: '12345678', injected: 'is garbled' },
      { dir: 'in', line: 'late', injected: 'waits 5 ms' },
      { dir: 'out', line: 'sent', injected: 'is lost' },
    );
    expect(linesOf(asReceived(tape))).toEqual(['in two', 'in two', 'in 12', 'in \u00012345678', 'in late', 'out sent']);
    expect(asReceived(tape).entries[2]?.entry.head).toBe('Content-Length: 2\r\n\r\n');
    expect(countInjected(tape)).toBe(6);
  });

  it('ends before an end that the recorder brought about', () => {
    const tape = session(
      { dir: 'in', line: request(1) },
      { dir: 'out', line: '{"id":1,"result":{}}' },
      { dir: 'in', line: request(2) },
      { dir: 'note', line: 'fault: the server crashes before line 2 (response)', injected: 'crash' },
      { dir: 'exit', line: '{"code":1,"sig":null}' },
    );
    expect(linesOf(asReceived(tape))).toEqual([`in ${request(1)}`, 'out {"id":1,"result":{}}']);
  });

  it('is the session itself if nothing was injected', () => {
    const tape = session({ dir: 'in', line: request(1) });
    expect(asReceived(tape)).toBe(tape);
  });
});
