import { argumentsOf, type CallRow, sortCalls, sortedBy, toCalls } from '../../../src/tapes/page/calls';
import { modelOf } from './model';

const CALL = '{"id":1,"method":"tools/call","params":{"name":"say","arguments":{"text":"hello","times":2}}}';

/** Three calls: 10 ms, 1,970 ms, and one without an end. */
const model = modelOf(
  [
    { at: 0, text: CALL },
    { at: 10, lane: 1, text: '{"id":1,"result":{}}' },
    { at: 20, text: '{"id":2,"method":"ping"}' },
    { at: 30, text: '{"id":3,"method":"late"}' },
    { at: 1990, lane: 1, mark: 1, text: '{"id":2,"error":{}}' },
  ],
  [
    [0, 1, 0, 0],
    [2, 4, 1, 0],
    [3, -1, 3, 0],
  ],
);

const marbles = (rows: readonly CallRow[]): number[] => rows.map(({ marble }) => marble);

describe('the table of calls', () => {
  it('has a row for each call', () => {
    expect(toCalls(model)).toEqual([
      { marble: 0, name: 'ping', time: 0, took: 10, size: CALL.length + 20, state: 'answered' },
      { marble: 2, name: 'ping', time: 20, took: 1970, size: 24 + 19, state: 'failed' },
      { marble: 3, name: 'ping', time: 30, took: undefined, size: 24, state: 'open' },
    ]);
  });

  it('shows the arguments of a tool, else the params, in short', () => {
    expect([argumentsOf(model, 0), argumentsOf(model, 2)]).toEqual(['text: "hello", times: 2', '']);
    expect(argumentsOf(modelOf([{ text: '{"method":"a","params":{"uri":"x"}}' }, { text: 'no JSON' }]), 0)).toBe(
      'uri: "x"',
    );
    expect(argumentsOf(modelOf([{ text: 'no JSON' }]), 0)).toBe('');
  });

  it('is sorted by a column; a call without an end is the longest', () => {
    const rows = toCalls(model);
    expect(marbles(sortCalls(rows, { by: 'took', order: 'descending' }))).toEqual([3, 2, 0]);
    expect(marbles(sortCalls(rows, { by: 'took', order: 'ascending' }))).toEqual([0, 2, 3]);
    expect(marbles(sortCalls(rows, { by: 'name', order: 'descending' }))).toEqual([0, 2, 3]);
    expect(marbles(sortCalls(rows, { by: 'state', order: 'ascending' }))).toEqual([0, 2, 3]);
  });

  it('turns round at a second click, and begins with the longest and the largest', () => {
    const time = { by: 'time', order: 'ascending' } as const;
    expect(sortedBy(time, 'time')).toEqual({ by: 'time', order: 'descending' });
    expect(sortedBy(time, 'took')).toEqual({ by: 'took', order: 'descending' });
    expect(sortedBy(time, 'name')).toEqual({ by: 'name', order: 'ascending' });
  });
});
