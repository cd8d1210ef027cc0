import type { PlaybackSession } from '../../../src/tapes/replayServer/playbackSession';
import { releaseLines } from '../../../src/tapes/replayServer/receiveLine';
import { toServerPlan } from '../../../src/tapes/replayServer/serverPlan';
import { itemAt, withItem } from '../../../src/tapes/session/sparseArray';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const call = (id: number) => ({ id, method: 'go', params: {} });
const note = (requestId: number, text: string) => ({ method: 'note', params: { requestId, text } });
const planOf = (...lines: Parameters<typeof sessionFrom>) => toServerPlan(toSessionIndex(sessionFrom(...lines)));

/** Two calls; the second line of the first call stands after the second call. */
const plan = planOf(
  [0, 'out', { method: 'hello' }],
  [10, 'in', call(1)],
  [12, 'out', note(1, 'first')],
  [20, 'in', call(2)],
  [23, 'out', note(2, 'other')],
  [27, 'out', note(1, 'second')],
);
const HELLO = 0;
const FIRST = 1;
const OTHER = 2;
const SECOND = 3;

const empty: PlaybackSession = {
  startMs: 1_000,
  arrivals: [],
  received: [],
  lanes: [],
  waiting: [],
  openRequests: [],
  values: [],
};
const arrived = (session: PlaybackSession, line: number, atMs: number): PlaybackSession => ({
  ...session,
  arrivals: withItem(session.arrivals, line, { atMs, renamings: [] }),
});
const timed = ({ released }: ReturnType<typeof releaseLines>) =>
  released.map(({ index, fromMs, afterMs }) => ({ index, fromMs, afterMs }));

describe('releaseLines', () => {
  it('releases what the server sends unasked, from the start of the session on', () => {
    expect(timed(releaseLines(plan, empty, [-1]))).toEqual([{ index: HELLO, fromMs: 1_000, afterMs: 0 }]);
  });

  it('holds the lines of a request that was not received', () => {
    const { session, released } = releaseLines(plan, empty, [0]);
    expect(released).toEqual([]);
    expect(itemAt(session.waiting, 0)).toEqual([0]);
  });

  it('releases a line once all client lines before it were received, and none twice', () => {
    const one = releaseLines(plan, arrived(empty, 0, 5_000), [0]);
    expect(timed(one)).toEqual([{ index: FIRST, fromMs: 5_000, afterMs: 2 }]);
    expect(itemAt(one.session.waiting, 1)).toEqual([0]);
    const both = releaseLines(plan, arrived(one.session, 1, 6_000), [0]);
    expect(timed(both)).toEqual([{ index: SECOND, fromMs: 6_000, afterMs: 7 }]);
    expect(timed(releaseLines(plan, both.session, [0]))).toEqual([]);
  });

  it('emits the lines of several owners in recorded order', () => {
    const session = arrived(arrived(empty, 0, 5_000), 1, 6_000);
    expect(timed(releaseLines(plan, session, [1, 0])).map(({ index }) => index)).toEqual([FIRST, OTHER, SECOND]);
  });

  it('has no negative time where the clock of the recording went back', () => {
    const back = planOf([50, 'in', call(1)], [20, 'out', note(1, 'early')]);
    expect(timed(releaseLines(back, arrived(empty, 0, 5_000), [0]))).toEqual([{ index: 0, fromMs: 5_000, afterMs: 0 }]);
  });

  it('opens the requests that it releases', () => {
    const asking = planOf([0, 'in', call(1)], [1, 'out', { id: 0, method: 'ask', params: { requestId: 1 } }]);
    expect(releaseLines(asking, arrived(empty, 0, 0), [0]).session.openRequests).toEqual([0]);
  });
});
