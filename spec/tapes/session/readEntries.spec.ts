import { readEntries } from '../../../src/tapes/session/readEntries';
import { sessionFrom } from '../../support/tapes';

const ping = { id: 1, method: 'ping' };
const pong = { id: 1, result: {} };

describe('readEntries', () => {
  it('parses each line on the wire and counts lines of each side, the end of input among those of the client', () => {
    const session = sessionFrom(
      [0, 'in', ping],
      [1, 'out', pong],
      [2, 'note', 'standard input closed'],
      [3, 'in', 'late'],
    );
    const { entries, messages } = readEntries(session);
    expect(entries.map(({ kind }) => kind)).toEqual(['line', 'line', 'endOfInput', 'line']);
    expect(messages).toEqual([
      {
        index: 0,
        from: 'client',
        entry: 0,
        line: 0,
        t: 0,
        lineNumber: 1,
        message: { kind: 'request', id: 1, method: 'ping', params: undefined },
        value: ping,
      },
      {
        index: 1,
        from: 'server',
        entry: 1,
        line: 0,
        t: 1,
        lineNumber: 2,
        message: { kind: 'response', id: 1, body: { result: {} } },
        value: pong,
      },
      {
        index: 2,
        from: 'client',
        entry: 3,
        line: 2,
        t: 3,
        lineNumber: 4,
        message: { kind: 'other' },
        value: undefined,
      },
    ]);
  });

  it('takes a batch apart, and gives the places in it where there are several', () => {
    const { messages } = readEntries(sessionFrom([0, 'in', [ping, pong]], [1, 'in', [ping]], [2, 'in', []]));
    expect(messages.map(({ index, line, part, value }) => ({ index, line, part, value }))).toEqual([
      { index: 0, line: 0, part: 0, value: ping },
      { index: 1, line: 0, part: 1, value: pong },
      { index: 2, line: 1, part: undefined, value: ping },
      { index: 3, line: 2, part: undefined, value: [] },
    ]);
  });

  it('takes a direction that is named as a member of every object for none', () => {
    const read = readEntries(sessionFrom([0, 'constructor', ping], [1, '__proto__', ping], [2, 'toString', ping]));
    expect(read.entries.map(({ kind }) => kind)).toEqual(['other', 'other', 'other']);
    expect(read.messages).toEqual([]);
  });

  it('leaves out blank entries, and finds no messages in stderr, notes and inner seams', () => {
    const session = sessionFrom([0, 'in', ' '], [1, 'err', 'hm'], [2, 'note', 'a remark'], [3, 'exit', '{}']);
    const seam = { t: 4, dir: 'in', line: JSON.stringify(ping), seam: 'model', call: 1 };
    const closed = { t: 5, dir: 'note', line: 'standard input closed', seam: 'model' };
    const entries = [...session.entries, { lineNumber: 5, entry: seam }, { lineNumber: 6, entry: closed }];
    const read = readEntries({ meta: {}, entries });
    expect(read.entries.map(({ kind, lineNumber }) => [lineNumber, kind])).toEqual([
      [2, 'other'],
      [3, 'other'],
      [4, 'other'],
      [5, 'other'],
      [6, 'other'],
    ]);
    expect(read.messages).toEqual([]);
  });
});
