import { threadIn, toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

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
