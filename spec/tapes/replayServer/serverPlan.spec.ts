import { INPUT_ENDED } from '../../../src/tapes/format/tape';
import { END_KEY, toServerPlan } from '../../../src/tapes/replayServer/playbackSession';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

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
