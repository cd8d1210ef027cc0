import {
  nextOfKey,
  type PlaybackSession,
  renamingsOf,
  toServerPlan,
  unreceivedLines,
  withoutLane,
} from '../../../src/tapes/replayServer/playbackSession';
import { openPlaybackSession, receiveLine } from '../../../src/tapes/replayServer/receive';
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
