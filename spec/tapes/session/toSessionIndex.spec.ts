import { join } from 'node:path';
import { threadIn, toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom, sessionOf } from '../../support/tapes';

const ask = { id: 1, method: 'tools/call', params: { name: 'codex' } };
const event = { method: 'codex/event', params: { _meta: { requestId: 1, threadId: 'a' } } };
const answer = { id: 1, result: { content: [] } };

describe('toSessionIndex', () => {
  it('names the place of a message in its batch, and the call of an entry at an inner seam', () => {
    const index = toSessionIndex({
      meta: {},
      entries: [
        { lineNumber: 1, entry: { t: 0, dir: 'in', line: JSON.stringify([ask, event]) } },
        { lineNumber: 2, entry: { t: 0, dir: 'in', line: '{}', seam: 'model', call: 1 } },
      ],
    });
    expect(index.messages.map(({ part }) => part)).toEqual([0, 1]);
    expect(index.entries.map(({ seamCall }) => seamCall)).toEqual([undefined, 0]);
  });

  it('holds the messages once, with their calls and threads', () => {
    const session = sessionFrom([0, 'in', ask], [1, 'in', ' '], [2, 'out', event], [3, 'out', answer]);
    const index = toSessionIndex(session);
    const [request, notification, response] = index.messages;
    expect(index).toEqual({
      meta: {},
      entries: [
        { ...session.entries[0], messages: [request] },
        { ...session.entries[2], messages: [notification] },
        { ...session.entries[3], messages: [response] },
      ],
      messages: [
        {
          index: 0,
          from: 'client',
          entry: 0,
          line: 0,
          t: 0,
          lineNumber: 1,
          message: { kind: 'request', ...ask },
          value: ask,
          call: 0,
          thread: 0,
        },
        {
          index: 1,
          from: 'server',
          entry: 1,
          line: 0,
          t: 2,
          lineNumber: 3,
          message: { kind: 'notification', ...event },
          value: event,
          owner: 0,
          thread: 0,
        },
        {
          index: 2,
          from: 'server',
          entry: 2,
          line: 1,
          t: 3,
          lineNumber: 4,
          message: { kind: 'response', id: 1, body: { result: { content: [] } } },
          value: answer,
          owner: 0,
          thread: 0,
        },
      ],
      clientLines: [
        {
          kind: 'line',
          entry: 0,
          lineNumber: 1,
          t: 0,
          line: JSON.stringify(ask),
          value: ask,
          messages: [request?.message],
        },
      ],
      serverLines: [
        {
          entry: 1,
          lineNumber: 3,
          t: 2,
          line: JSON.stringify(event),
          value: event,
          messages: [notification?.message],
          owner: 0,
          link: 'named',
          clientLinesBefore: 1,
        },
        {
          entry: 2,
          lineNumber: 4,
          t: 3,
          line: JSON.stringify(answer),
          value: answer,
          messages: [response?.message],
          owner: 0,
          link: 'named',
          clientLinesBefore: 1,
        },
      ],
      calls: [{ from: 'client', request: 0, response: 2, outcome: 'answered' }],
      seamCalls: [],
      threads: ['a'],
      parties: {},
    });
  });

  it('cannot be changed, and leaves the session as it is', () => {
    const session = sessionFrom([0, 'in', ask], [3, 'out', answer]);
    const before = structuredClone(session);
    const index = toSessionIndex(session);
    expect(session).toEqual(before);
    const parts = Object.values(index).filter((part) => Array.isArray(part));
    expect([index, ...parts].every((part) => Object.isFrozen(part))).toBe(true);
  });

  it.each([
    ['{"code":0,"sig":null}', { code: 0, signal: null }],
    ['{"code":null,"sig":"SIGTERM"}', { code: null, signal: 'SIGTERM' }],
    ['{"code":"0"}', { code: null, signal: null }],
    ['it ended', { code: null, signal: null }],
  ])('knows how the server ended: %s', (line, how) => {
    const { exit, inputEnded } = toSessionIndex(
      sessionFrom([0, 'note', 'standard input closed'], [1, 'err', 'bye'], [2, 'exit', line]),
    );
    expect({ exit, inputEnded }).toEqual({ exit: { entry: 2, ...how }, inputEnded: 0 });
  });

  it('is empty for an empty session', () => {
    expect(toSessionIndex({ meta: { a: 1 }, entries: [] })).toEqual({
      meta: { a: 1 },
      entries: [],
      messages: [],
      clientLines: [],
      serverLines: [],
      calls: [],
      seamCalls: [],
      threads: [],
      parties: {},
    });
  });

  it('finds calls that overlap, questions and threads on a recorded tape', () => {
    const index = toSessionIndex(sessionOf(join(__dirname, '../../fixtures/tapes/exec-approval-parallel.jsonl')));
    expect(index.parties).toMatchObject({ client: { name: 'drive' }, protocol: '2025-06-18' });
    expect(index.calls.map(({ from, outcome }) => `${from} ${outcome}`)).toEqual([
      'client answered',
      'client answered',
      'client answered',
      'server answered',
      'server answered',
    ]);
    expect(index.threads).toHaveLength(2);
    expect(
      index.messages.filter(({ owner, thread }) => owner !== undefined && owner > 0 && thread === undefined),
    ).toEqual([]);
  });
});

const lines = (...sent: [dir: string, message: object | string][]) => {
  const session = sessionFrom(...sent.map(([dir, one], t): [number, string, object | string] => [t, dir, one]));
  const { clientLines, serverLines } = toSessionIndex(session);
  return {
    client: clientLines.map(({ kind, lineNumber, answers }) => ({ kind, lineNumber, answers })),
    server: serverLines.map(({ lineNumber, owner, link, clientLinesBefore, answeredBy }) => ({
      lineNumber,
      owner,
      link,
      clientLinesBefore,
      answeredBy,
    })),
  };
};

const request = (id: number, params: object = {}) => ({ id, method: 'go', params });

const response = (id: number) => ({ id, result: {} });

describe('toLines', () => {
  it('relates each line of the server to the line of the client that it names, else to the one before it', () => {
    expect(
      lines(
        ['out', { method: 'hello' }],
        ['in', request(1)],
        ['in', request(2)],
        ['out', { method: 'note' }],
        ['out', response(1)],
        ['note', 'standard input closed'],
        ['out', response(2)],
        ['out', { method: 'bye' }],
      ),
    ).toEqual({
      client: [
        { kind: 'line', lineNumber: 2, answers: undefined },
        { kind: 'line', lineNumber: 3, answers: undefined },
        { kind: 'endOfInput', lineNumber: 6, answers: undefined },
      ],
      server: [
        { lineNumber: 1, owner: -1, link: 'order', clientLinesBefore: 0, answeredBy: undefined },
        { lineNumber: 4, owner: 1, link: 'order', clientLinesBefore: 2, answeredBy: undefined },
        { lineNumber: 5, owner: 0, link: 'named', clientLinesBefore: 2, answeredBy: undefined },
        { lineNumber: 7, owner: 1, link: 'named', clientLinesBefore: 3, answeredBy: undefined },
        { lineNumber: 8, owner: 2, link: 'order', clientLinesBefore: 3, answeredBy: undefined },
      ],
    });
  });

  it('relates a question of the server and its answer, each question once', () => {
    expect(
      lines(
        ['in', request(1)],
        ['out', { id: 0, method: 'ask', params: { requestId: 1 } }],
        ['in', response(0)],
        ['in', response(0)],
      ),
    ).toEqual({
      client: [
        { kind: 'line', lineNumber: 1, answers: undefined },
        { kind: 'line', lineNumber: 3, answers: 0 },
        { kind: 'line', lineNumber: 4, answers: undefined },
      ],
      server: [{ lineNumber: 2, owner: 0, link: 'named', clientLinesBefore: 1, answeredBy: 1 }],
    });
  });

  it('lets a cancel of the server go with its request, also where a request of the client has the same id', () => {
    const cancel = { method: 'notifications/cancelled', params: { requestId: 1 } };
    const { server } = lines(
      ['in', request(1)],
      ['in', request(2)],
      ['out', { id: 1, method: 'ask', params: { _meta: { requestId: 2 } } }],
      ['out', { id: 7, method: 'ask' }],
      ['out', cancel],
      ['out', { ...cancel, params: { requestId: 7 } }],
    );
    expect(server.slice(2)).toEqual([
      { lineNumber: 5, owner: 1, link: 'named', clientLinesBefore: 2, answeredBy: undefined },
      { lineNumber: 6, owner: 1, link: 'order', clientLinesBefore: 2, answeredBy: undefined },
    ]);
  });

  it('relates a batch by the first of its messages that names a request', () => {
    const { server } = lines(
      ['in', [request(1), request(2)]],
      ['in', request(3)],
      ['out', [{ method: 'n' }, response(2)]],
    );
    expect(server).toEqual([{ lineNumber: 3, owner: 0, link: 'named', clientLinesBefore: 2, answeredBy: undefined }]);
  });
});

describe('assignThreads', () => {
  describe('threadIn', () => {
    it.each([
      [{ params: { threadId: 'a' } }],
      [{ params: { conversationId: 'a' } }],
      [{ params: { arguments: { sessionId: 'a' } } }],
      [{ params: { msg: { thread_id: 'a' } } }],
      [{ params: { msg: { session_id: 'a' } } }],
      [{ params: { _meta: { conversation_id: 'a' } } }],
      [{ result: { structuredContent: { threadId: 'a' } } }],
      [{ result: { thread: { id: 'a' } } }],
    ])('finds the thread in %j', (value) => {
      expect(threadIn(value)).toBe('a');
    });

    it.each([
      [{ params: { threadId: '' } }],
      [{ params: { threadId: 7 } }],
      [{ params: { text: { threadId: 'a' } } }],
      [{ params: { msg: { params: { msg: { threadId: 'a' } } } } }],
      [[{ threadId: 'a' }]],
      ['threadId'],
      [null],
    ])('finds none in %j', (value) => {
      expect(threadIn(value)).toBeUndefined();
    });
  });

  /** The threads of a session, and those of its messages. */
  const assigned = (...lines: [dir: string, message: object][]) => {
    const { threads, messages } = toSessionIndex(
      sessionFrom(...lines.map(([dir, one], t): [number, string, object | string] => [t, dir, one])),
    );
    return { threads, messages: messages.map(({ thread }) => thread) };
  };

  const call = (id: number, params: object = {}) => ({ id, method: 'tools/call', params });

  const event = (requestId: number, msg: object = {}) => ({
    method: 'codex/event',
    params: { _meta: { requestId }, msg },
  });

  describe('assignThreads', () => {
    it('gives a call the thread that is first named by what belongs to it, and that to all the rest of it', () => {
      expect(
        assigned(
          ['in', call(1)],
          ['out', event(1)],
          ['out', event(1, { session_id: 'a' })],
          ['out', { id: 5, method: 'ask', params: { requestId: 1 } }],
          ['in', { id: 5, result: {} }],
          ['out', { id: 1, result: { threadId: 'b' } }],
        ),
      ).toEqual({ threads: ['a', 'b'], messages: [0, 0, 0, 0, 0, 1] });
    });

    it('keeps the thread that a request names', () => {
      expect(
        assigned(['in', call(1, { threadId: 'a' })], ['out', event(1, { session_id: 'b' })], ['out', event(1)]),
      ).toEqual({ threads: ['a', 'b'], messages: [0, 1, 0] });
    });

    it('gives none to what belongs to no call and names none', () => {
      expect(assigned(['in', call(1, { threadId: 'a' })], ['out', { method: 'note' }], ['in', call(2)])).toEqual({
        threads: ['a'],
        messages: [0, undefined, undefined],
      });
    });

    it('gives a call at an inner seam the thread that its request names', () => {
      const entries = [
        { t: 0, dir: 'in', seam: 'model', call: 1, line: '{"threadId":"a"}' },
        { t: 1, dir: 'out', seam: 'model', call: 1, line: '{"threadId":"b"}' },
        { t: 2, dir: 'in', seam: 'executor', call: 1, line: 'no JSON' },
      ].map((entry, i) => ({ lineNumber: i + 1, entry }));
      const { threads, seamCalls } = toSessionIndex({ meta: {}, entries });
      expect({ threads, seamCalls: seamCalls.map(({ thread }) => thread) }).toEqual({
        threads: ['a'],
        seamCalls: [0, undefined],
      });
    });
  });
});
