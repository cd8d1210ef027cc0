import { join } from 'node:path';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
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
