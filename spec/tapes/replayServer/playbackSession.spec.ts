import { parseLine } from '../../../src/protocol/jsonrpc/parseLine';
import { INPUT_ENDED } from '../../../src/tapes/format/tape';
import {
  END_KEY,
  nextOfKey,
  type PlaybackSession,
  renamingsOf,
  toErrorLine,
  toLine,
  toServerPlan,
  unreceivedLines,
  withoutLane,
} from '../../../src/tapes/replayServer/playbackSession';
import { openPlaybackSession, receiveLine } from '../../../src/tapes/replayServer/receive';
import type { ServerLine } from '../../../src/tapes/session/sessionIndex';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const go = (id: number) => ({ id, method: 'go', params: {} });

/** Two calls of one meaning, an answer to the server between them. */
const plan = toServerPlan(
  toSessionIndex(
    sessionFrom(
      [0, 'in', go(1)],
      [1, 'out', { id: 9, method: 'ask' }],
      [2, 'in', { id: 9, result: {} }],
      [3, 'in', go(2)],
      [4, 'out', { id: 1, result: {} }],
      [5, 'out', { id: 2, result: {} }],
    ),
  ),
);
const KEY = 'request go {}';
const opened = openPlaybackSession(plan, 0).session;
const received = (session: PlaybackSession, line: number, id: string) =>
  receiveLine(plan, session, { line, messages: [{ kind: 'request', id, method: 'go', params: {} }], atMs: 0 });

describe('nextOfKey', () => {
  it('is the first line of the key that was not received', () => {
    const one = received(opened, 0, 'a').session;
    const two = received(one, 2, 'b').session;
    expect([opened, one, two].map((session) => nextOfKey(plan, session, KEY))).toEqual([0, 2, undefined]);
    expect(nextOfKey(plan, opened, 'request other {}')).toBeUndefined();
  });
});

describe('unreceivedLines', () => {
  it('has neither those received nor those that answer the server', () => {
    expect(unreceivedLines(plan, opened)).toEqual([0, 2]);
    expect(unreceivedLines(plan, received(opened, 0, 'a').session)).toEqual([2]);
  });
});

describe('withoutLane', () => {
  it('releases no line of this owner any more, and those of others still', () => {
    const without = withoutLane(plan, opened, 0);
    const released = (session: PlaybackSession, line: number) =>
      received(session, line, 'a').released.map(({ index }) => index);
    expect([released(opened, 0), released(without, 0)]).toEqual([[0], []]);
    expect(released(received(without, 0, 'a').session, 2)).toEqual([2]);
  });

  it('takes an owner without lines', () => {
    expect(withoutLane(plan, opened, 7).lanes).toEqual(expect.any(Array));
  });
});

describe('renamingsOf', () => {
  it('has the names of all requests that were received, in the order of the recording', () => {
    const both = received(received(opened, 2, 'b').session, 0, 'a').session;
    expect(renamingsOf(both)).toEqual([
      { by: 'id', recorded: 1, now: 'a' },
      { by: 'id', recorded: 2, now: 'b' },
    ]);
    expect(renamingsOf(opened)).toEqual([]);
  });
});

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

describe('serverPlan', () => {
  const go = (id: number) => ({ id, method: 'go', params: {} });

  describe('toServerPlan', () => {
    const index = toSessionIndex(
      sessionFrom(
        [0, 'out', { method: 'first' }],
        [1, 'in', go(1)],
        [2, 'in', { method: 'ready' }],
        [3, 'in', go(2)],
        [4, 'out', { id: 9, method: 'ask' }],
        [5, 'in', { id: 9, result: {} }],
        [6, 'out', { id: 1, result: {} }],
        [7, 'out', { id: 2, result: {} }],
        [8, 'note', INPUT_ENDED],
      ),
    );
    const plan = toServerPlan(index);

    it('groups client lines of one meaning, whatever their ids; an answer to the server has no key', () => {
      expect(plan.index).toBe(index);
      const [go, ready] = ['request go {}', 'notification ready {}'];
      expect(plan.keyOf).toEqual([go, ready, go, undefined, END_KEY]);
      expect([...plan.linesByKey]).toEqual([
        [go, { id: 0, lines: [0, 2] }],
        [ready, { id: 1, lines: [1] }],
        [END_KEY, { id: 2, lines: [4] }],
      ]);
    });

    it('gives each server line to the client line that it belongs to', () => {
      expect([...plan.lanes]).toEqual([
        [-1, [0]],
        [2, [1, 3]],
        [0, [2]],
      ]);
    });
  });
});
