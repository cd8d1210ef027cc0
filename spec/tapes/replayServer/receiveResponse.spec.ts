import { openPlaybackSession, receiveLine } from '../../../src/tapes/replayServer/receiveLine';
import { findOpenRequest, receiveResponse } from '../../../src/tapes/replayServer/receiveResponse';
import { toServerPlan } from '../../../src/tapes/replayServer/serverPlan';
import { toSessionIndex } from '../../../src/tapes/session/toSessionIndex';
import { sessionFrom } from '../../support/tapes';

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
