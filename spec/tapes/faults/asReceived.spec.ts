import { asReceived, countInjected } from '../../../src/tapes/faults/asReceived';
import type { Entry, Session } from '../../../src/tapes/format/tape';

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
