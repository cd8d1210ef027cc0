import { openPlaybackSession, receiveLine } from '../../../src/tapes/replayServer/receiveLine';
import { toServerPlan } from '../../../src/tapes/replayServer/serverPlan';
import { itemAt } from '../../../src/tapes/session/sparseArray';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

const call = (id: number) => ({ id, method: 'go', params: {} });
const note = (requestId: number, text: string) => ({ method: 'note', params: { requestId, text } });

/** Two calls of one meaning; the second line of the first call stands after the second call. */
const plan = toServerPlan(
  toSessionIndex(
    sessionFrom(
      [0, 'out', { method: 'hello' }],
      [10, 'in', call(1)],
      [12, 'out', note(1, 'first')],
      [20, 'in', call(2)],
      [23, 'out', note(2, 'other')],
      [27, 'out', note(1, 'second')],
    ),
  ),
);
const [HELLO, FIRST, OTHER, SECOND] = [0, 1, 2, 3];

describe('receiveLine', () => {
  const opened = openPlaybackSession(plan, 1_000);
  const received = (line: number, id: number | string, session = opened.session) =>
    receiveLine(plan, session, { line, messages: [{ kind: 'request', id, method: 'go', params: {} }], atMs: 5_000 });

  it('opens with what the server sends unasked', () => {
    expect(opened.released.map(({ index, fromMs, afterMs }) => ({ index, fromMs, afterMs }))).toEqual([
      { index: HELLO, fromMs: 1_000, afterMs: 0 },
    ]);
  });

  it('releases the lanes that waited for the line, under the id of this client', () => {
    const { session, released } = received(0, 'mine');
    expect(released.map(({ index, renamings }) => ({ index, renamings }))).toEqual([
      { index: FIRST, renamings: [{ by: 'id', recorded: 1, now: 'mine' }] },
    ]);
    expect(received(1, 'next', session).released.map(({ index }) => index)).toEqual([OTHER, SECOND]);
  });

  it('counts lines of one meaning from the first, whatever order they come in', () => {
    const keyId = plan.linesByKey.get(plan.keyOf[0] ?? '')?.id ?? -1;
    const later = received(1, 2).session;
    expect(itemAt(later.received, keyId)).toBe(0);
    expect(itemAt(received(0, 1, later).session.received, keyId)).toBe(2);
  });

  it('does not change the session that it is given', () => {
    const before = structuredClone(opened.session);
    received(0, 1);
    expect(opened.session).toEqual(before);
  });
});

describe('receiveLine, of a value that the client makes up', () => {
  const [before, now] = ['aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002'];
  const keyed = toServerPlan(
    toSessionIndex(
      sessionFrom(
        [0, 'in', { id: 1, method: 'go', params: { key: before } }],
        [1, 'out', { id: 1, result: { made: before } }],
      ),
    ),
  );

  it('gives it to the lines that it releases', () => {
    const messages = [{ kind: 'request', id: 1, method: 'go', params: { key: now } }] as const;
    const opened = openPlaybackSession(keyed, 0).session;
    const { released } = receiveLine(keyed, opened, { line: 0, messages, atMs: 0 });
    expect(released.map(({ values }) => values)).toEqual([[{ recorded: before, now }]]);
  });
});
