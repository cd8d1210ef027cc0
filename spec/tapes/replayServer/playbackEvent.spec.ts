import { parseLine } from '../../../src/protocol/jsonrpc/parseLine';
import { toErrorLine, toLine } from '../../../src/tapes/replayServer/playbackSession';
import type { ServerLine } from '../../../src/tapes/session/sessionIndex';

const recorded: ServerLine = {
  ...parseLine('{ "id": 1, "result": {} }'),
  entry: 1,
  lineNumber: 2,
  t: 3,
  owner: 0,
  link: 'named',
  clientLinesBefore: 1,
};
const released = { line: recorded, index: 4, renamings: [], values: [], fromMs: 10, afterMs: 5 };

describe('toLine', () => {
  it('is the line as it was recorded where no name differs', () => {
    expect(toLine(released)).toEqual({ kind: 'line', line: '{ "id": 1, "result": {} }', fromMs: 10, afterMs: 5 });
  });

  it('has the request ids of this client', () => {
    expect(toLine({ ...released, renamings: [{ by: 'id', recorded: 1, now: 'mine' }] })).toEqual({
      kind: 'line',
      line: '{"id":"mine","result":{}}',
      fromMs: 10,
      afterMs: 5,
    });
  });
});

describe('toErrorLine', () => {
  it.each([
    ['with data', { method: 'go' }, { data: { method: 'go' } }],
    ['without', undefined, {}],
  ])('is an error response %s, due at once', (_, data, more) => {
    const event = toErrorLine(0, 'not recorded', data);
    expect({ ...event, line: 'line' in event && JSON.parse(event.line) }).toEqual({
      kind: 'line',
      line: { jsonrpc: '2.0', id: 0, error: { code: -32050, message: 'not recorded', ...more } },
      fromMs: 0,
      afterMs: 0,
    });
  });
});
