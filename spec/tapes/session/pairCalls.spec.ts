import { pairCalls, pairSeamCalls, seamOutcomeOf } from '../../../src/tapes/session/pairCalls';
import { readEntries } from '../../../src/tapes/session/readEntries';
import { sessionFrom } from '../../support/tapes';

type Sent = [dir: 'in' | 'out', message: object | string, status?: number];

const request = (id: unknown, method = 'go', params: object = {}) => ({ id, method, params });
const response = (id: unknown) => ({ id, result: {} });
const cancel = (requestId: unknown) => ({ method: 'notifications/cancelled', params: { requestId } });
const event = (_meta: object) => ({ method: 'codex/event', params: { _meta } });

/** The calls, and the call that each message belongs to. */
const paired = (...sent: Sent[]) => {
  const session = sessionFrom(...sent.map(([dir, message], t): [number, string, object | string] => [t, dir, message]));
  const { messages } = readEntries({
    ...session,
    entries: session.entries.map(({ entry, ...one }, i) => {
      const status = sent[i]?.[2];
      return { ...one, entry: status === undefined ? entry : { ...entry, status } };
    }),
  });
  const { calls, opened, owner } = pairCalls(messages);
  return { calls, opened: messages.map((_, i) => opened[i]), owner: messages.map((_, i) => owner[i]) };
};

describe('pairCalls', () => {
  it('gives an error of HTTP, which names no request, to the latest that is open', () => {
    const refusal = { id: null, error: { code: -32000, message: 'Bad Request' } };
    expect(
      paired(
        ['in', request(1)],
        ['in', request(2)],
        ['in', request(3)],
        ['out', response(3)],
        ['out', refusal, 400],
        ['out', refusal], // of a line that cannot be read
        ['out', response(2)],
      ).calls,
    ).toEqual([
      { from: 'client', request: 0, outcome: 'open' },
      { from: 'client', request: 1, response: 4, outcome: 'failed' },
      { from: 'client', request: 2, response: 3, outcome: 'answered' },
    ]);
    expect(paired(['out', refusal, 400])).toEqual({ calls: [], opened: [undefined], owner: [undefined] });
  });

  it('pairs requests of both sides, which may bear the same id', () => {
    expect(paired(['in', request(1)], ['out', request(1)], ['in', response(1)], ['out', response(1)])).toEqual({
      calls: [
        { from: 'client', request: 0, response: 3, outcome: 'answered' },
        { from: 'server', request: 1, response: 2, outcome: 'answered' },
      ],
      opened: [0, 1, undefined, undefined],
      owner: [undefined, undefined, 1, 0],
    });
  });

  it.each([0, '', 7, '7', -1])('takes %j for an id', (id) => {
    expect(paired(['in', request(id)], ['out', response(id)]).calls).toEqual([
      { from: 'client', request: 0, response: 1, outcome: 'answered' },
    ]);
  });

  it('keeps a number and its text apart', () => {
    expect(paired(['in', request(7)], ['in', request('7')], ['out', response('7')]).calls).toEqual([
      { from: 'client', request: 0, outcome: 'open' },
      { from: 'client', request: 1, response: 2, outcome: 'answered' },
    ]);
  });

  it('gives responses of one id to its requests in their order; one more belongs to the latest and ends none', () => {
    expect(
      paired(
        ['in', request(1)],
        ['in', request(1)],
        ['out', response(1)],
        ['out', response(1)],
        ['out', { id: 1, error: {} }],
      ),
    ).toEqual({
      calls: [
        { from: 'client', request: 0, response: 2, outcome: 'answered' },
        { from: 'client', request: 1, response: 3, outcome: 'answered' },
      ],
      opened: [0, 1, undefined, undefined, undefined],
      owner: [undefined, undefined, 0, 1, 1],
    });
  });

  it.each([
    ['an error', { id: 1, error: { code: 1, message: '' } }],
    ['the result of a tool that is one', { id: 1, result: { isError: true } }],
  ])('knows a failure: %s', (_, failure) => {
    expect(paired(['in', request(1)], ['out', failure]).calls).toEqual([
      { from: 'client', request: 0, response: 1, outcome: 'failed' },
    ]);
  });

  it.each<[string, Sent[], object]>([
    ['that stays without a response', [['in', cancel(1)]], { cancel: 1, outcome: 'cancelled' }],
    [
      'that is answered all the same',
      [
        ['in', cancel(1)],
        ['out', response(1)],
      ],
      { cancel: 1, response: 2, outcome: 'cancelled' },
    ],
    [
      'that fails then',
      [
        ['in', cancel(1)],
        ['out', { id: 1, error: {} }],
      ],
      { cancel: 1, response: 2, outcome: 'failed' },
    ],
    [
      'only once',
      [
        ['in', cancel(1)],
        ['in', cancel(1)],
      ],
      { cancel: 1, outcome: 'cancelled' },
    ],
    ['of the side that cancels', [['out', cancel(1)]], { outcome: 'open' }],
    ['by its id', [['in', cancel(2)]], { outcome: 'open' }],
  ])('cancels a call %s', (_, sent, call) => {
    expect(paired(['in', request(1)], ...sent).calls).toEqual([{ from: 'client', request: 0, ...call }]);
  });

  it('lets a cancel of the server belong to the request of the server, not to that of the client with its id', () => {
    expect(paired(['in', request(0)], ['out', request(0)], ['out', cancel(0)])).toEqual({
      calls: [
        { from: 'client', request: 0, outcome: 'open' },
        { from: 'server', request: 1, cancel: 2, outcome: 'cancelled' },
      ],
      opened: [0, 1, undefined],
      owner: [undefined, undefined, 1],
    });
  });

  it('lets what a server sends belong to the latest request that it names, by id, progress token or _meta', () => {
    expect(
      paired(
        ['in', request(1, 'go', { _meta: { progressToken: 'p' } })],
        ['in', request(2)],
        ['out', { method: 'notifications/progress', params: { progressToken: 'p' } }],
        ['out', event({ requestId: 2 })],
        ['out', request(9, 'elicitation/create', { codex_mcp_tool_call_id: '1' })],
        ['out', event({ requestId: 3 })],
        ['out', { method: 'log', params: 4 }],
        ['in', event({ requestId: 2 })],
      ).owner,
    ).toEqual([undefined, undefined, 0, 1, 0, undefined, undefined, undefined]);
  });

  it.each<[string, object, object]>([
    ['a language server', { method: '$/cancelRequest', params: { id: 1 } }, request(1)],
    ['an agent', { method: '$/cancel_request', params: { requestId: 1 } }, request(1)],
    [
      'a session',
      { method: 'session/cancel', params: { sessionId: 's' } },
      request(1, 'session/prompt', { sessionId: 's' }),
    ],
  ])('keeps a call open that was cancelled at %s, until the response that is owed', (_, cancelled, asked) => {
    const before: Sent[] = [
      ['in', asked],
      ['in', cancelled],
    ];
    expect(paired(...before).calls).toEqual([{ from: 'client', request: 0, cancel: 1, outcome: 'open' }]);
    expect(paired(...before, ['out', { id: 1, error: { code: -32800 } }]).calls).toEqual([
      { from: 'client', request: 0, cancel: 1, response: 2, outcome: 'cancelled' },
    ]);
  });

  it('lets what an agent sends belong to the prompt that runs in its session, else to the latest request of the session', () => {
    const prompt = (id: number, sessionId: string) => request(id, 'session/prompt', { sessionId });
    const update = (sessionId?: string) => ({ method: 'session/update', params: { sessionId } });
    expect(
      paired(
        ['in', request(0, 'session/new')],
        ['out', { id: 0, result: { sessionId: 'a' } }],
        ['out', update('a')], // 0, which opened it
        ['in', prompt(1, 'a')],
        ['in', prompt(2, 'b')],
        ['in', prompt(3, 'a')], // waits, or is refused
        ['in', request(4, 'session/set_mode', { sessionId: 'a' })],
        ['out', update('a')], // 1, which runs
        ['out', update('b')], // 2
        ['out', response(1)],
        ['out', update('a')], // 3, which runs now
        ['out', response(3)],
        ['out', update('a')], // 4, the latest
        ['out', update('c')],
        ['out', update()],
      ).owner,
    ).toEqual([undefined, 0, 0, ...Array(4).fill(undefined), 1, 2, 1, 3, 3, 4, undefined, undefined]);
  });

  it('pairs the messages of a batch', () => {
    const sent: Sent[] = [
      ['in', [request(1), request(2)]],
      ['out', [response(2), response(1)]],
    ];
    expect(paired(...sent).calls).toEqual([
      { from: 'client', request: 0, response: 3, outcome: 'answered' },
      { from: 'client', request: 1, response: 2, outcome: 'answered' },
    ]);
  });

  it.each<[string, Sent]>([
    ['a response without an id', ['out', { id: null, error: {} }]],
    ['a response to nothing', ['out', response(5)]],
    ['a line that is not a message', ['out', 'hello']],
  ])('finds no call for %s', (_, sent) => {
    expect(paired(['in', request(1)], sent)).toEqual({
      calls: [{ from: 'client', request: 0, outcome: 'open' }],
      opened: [0, undefined],
      owner: [undefined, undefined],
    });
  });

  it('pairs nothing of nothing', () => {
    expect(paired()).toEqual({ calls: [], opened: [], owner: [] });
  });
});

describe('pairSeamCalls', () => {
  type At = [seam: string | undefined, dir: string, line: string, call?: number];

  const paired = (...lines: At[]) => {
    const entries = lines.map(([seam, dir, line, call], t) => ({
      lineNumber: t + 1,
      entry: { t, dir, line, ...(seam !== undefined && { seam }), ...(call !== undefined && { call }) },
    }));
    const { seamCalls, seamCall } = pairSeamCalls(readEntries({ meta: {}, entries }).entries);
    return { seamCalls, seamCall: entries.map((_, i) => seamCall[i]) };
  };

  describe('pairSeamCalls', () => {
    it('joins entries by the number of their call, each seam by itself', () => {
      expect(
        paired(
          ['model', 'in', 'ask', 1],
          ['executor', 'in', 'run', 1],
          ['model', 'out', 'a', 1],
          [undefined, 'in', 'x', 1],
          ['model', 'out', 'b', 1],
          ['executor', 'note', 'stopped', 1],
        ),
      ).toEqual({
        seamCalls: [
          { seam: 'model', request: 0, last: 4, outcome: 'answered' },
          { seam: 'executor', request: 1, last: 5, outcome: 'cancelled' },
        ],
        seamCall: [0, 1, 0, undefined, 0, 1],
      });
    });

    it('begins a new call with each `in`, and leaves what names no call alone', () => {
      expect(paired(['model', 'in', 'ask', 1], ['model', 'in', 'ask', 1], ['model', 'out', 'a'])).toEqual({
        seamCalls: [
          { seam: 'model', request: 0, outcome: 'open' },
          { seam: 'model', request: 1, outcome: 'open' },
        ],
        seamCall: [0, 1, undefined],
      });
    });

    it('finds none of what came before its call', () => {
      expect(paired(['model', 'out', 'a', 1])).toEqual({ seamCalls: [], seamCall: [undefined] });
    });
  });

  describe('seamOutcomeOf', () => {
    it.each([
      ['in', '{"type":"error"}', 'open'],
      ['out', '{"kind":"text"}', 'answered'],
      ['out', '{"kind":"error","message":"x"}', 'failed'],
      ['out', '{"type":"failed"}', 'failed'],
      ['note', 'stopped', 'cancelled'],
      ['note', 'failed: no such host', 'failed'],
    ])('takes %s %s for %s', (dir, line, outcome) => {
      expect(seamOutcomeOf({ dir, line })).toBe(outcome);
    });
  });
});
