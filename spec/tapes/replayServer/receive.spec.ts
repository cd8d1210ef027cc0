import { type PlaybackSession, toServerPlan } from '../../../src/tapes/replayServer/playbackSession';
import {
  findOpenRequest,
  openPlaybackSession,
  receiveLine,
  receiveResponse,
  releaseLines,
} from '../../../src/tapes/replayServer/receive';
import { itemAt, withItem } from '../../../src/tapes/session/sparseArray';
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

type Lines = Parameters<typeof sessionFrom>;

const ASK: Lines = [
  [0, 'in', { id: 1, method: 'go', params: {} }],
  [2, 'out', { id: 0, method: 'ask', params: { requestId: 1 } }],
];

const REST: Lines = [
  [9, 'in', { id: 0, result: { action: 'accept' } }],
  [12, 'out', { id: 1, result: {} }],
];

/** A session whose client, under the id `mine`, was asked; and what a response to that brings. */
const asked = (...lines: Lines) => {
  const plan = toServerPlan(toSessionIndex(sessionFrom(...lines)));
  const opened = openPlaybackSession(plan, 1_000).session;
  const message = { kind: 'request', id: 'mine', method: 'go', params: {} } as const;
  const { session } = receiveLine(plan, opened, { line: 0, messages: [message], atMs: 2_000 });
  const respond = (body: object) =>
    receiveResponse(plan, session, {
      line: 0,
      message: { kind: 'response', id: 0, body: body as Record<string, unknown> },
      atMs: 3_000,
    });
  return { plan, session, respond };
};

describe('findOpenRequest', () => {
  it('finds the line of a request by its id, where 0 and "0" are two', () => {
    const { plan, session } = asked(...ASK, ...REST);
    expect(findOpenRequest(plan, session, 0)).toBe(0);
    expect(findOpenRequest(plan, session, '0')).toBeUndefined();
  });
});

describe('receiveResponse', () => {
  it('continues after the recorded response, under the id of this client', () => {
    const { session, output } = asked(...ASK, ...REST).respond({ result: { action: 'accept' } });
    expect(output).toEqual([{ kind: 'line', line: '{"id":"mine","result":{}}', fromMs: 3_000, afterMs: 3 }]);
    expect(session.openRequests).toEqual([]);
  });

  it('fails the request of the client after another response, and sends no more lines of it', () => {
    const { plan, respond } = asked(...ASK, ...REST);
    const { session, output } = respond({ result: { action: 'decline' } });
    const text = 'Not recorded: this response to line 2: ask; response.result.action: recorded "accept", now "decline"';
    expect(output).toEqual([
      { kind: 'unrecorded', text },
      {
        kind: 'line',
        line: `{"jsonrpc":"2.0","id":"mine","error":{"code":-32050,"message":${JSON.stringify(text)}}}`,
        fromMs: 0,
        afterMs: 0,
      },
    ]);
    expect(session.openRequests).toEqual([]);
    expect(receiveLine(plan, session, { line: 1, messages: [], atMs: 4_000 }).released).toEqual([]);
  });

  it('continues with other folders of the client, and remarks on them', () => {
    const roots = (uri: string) => ({ result: { roots: [{ uri }] } });
    const { respond } = asked(
      [0, 'in', { id: 1, method: 'go', params: {} }],
      [2, 'out', { id: 0, method: 'roots/list', params: { requestId: 1 } }],
      [9, 'in', { id: 0, ...roots('file:///a') }],
      [12, 'out', { id: 1, result: {} }],
    );
    expect(respond(roots('file:///b')).output).toEqual([
      {
        kind: 'substituted',
        text: 'The response to line 2: roots/list is taken for the recorded one; response.result.roots[0].uri: recorded "file:///a", now "file:///b"',
      },
      { kind: 'line', line: '{"id":"mine","result":{}}', fromMs: 3_000, afterMs: 3 },
    ]);
    expect(respond({ error: { code: -32601 } }).output[0]).toMatchObject({ kind: 'unrecorded' });
  });

  it('only remarks on a response that the recorded client did not send', () => {
    const { session, output } = asked(...ASK).respond({ result: {} });
    expect(output).toEqual([
      { kind: 'unrecorded', text: 'Not recorded: a response to line 2: ask; the recorded client sent none' },
    ]);
    expect(session.openRequests).toEqual([]);
  });
});

describe('releaseLines', () => {
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
