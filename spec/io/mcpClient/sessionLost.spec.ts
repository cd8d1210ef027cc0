import type { McpEvent } from '../../../src/io/mcpClient/failures';
import { failWhenLost, hasResponse, SessionLost } from '../../../src/io/mcpClient/failures';
import { marbles } from '../../support/marbles';

const line = (text: string, status?: number): McpEvent => ({ kind: 'line', line: text, ...(status && { status }) });
const error = (id: string, message: string): string => `{"jsonrpc":"2.0","id":${id},"error":{"message":"${message}"}}`;
const LOST = error('null', 'Session not found');
const lost = (text: string) =>
  expect.objectContaining({ name: 'SessionLost', session: 's', message: expect.stringMatching(text) });

describe('failWhenLost', () => {
  it.each<[string, McpEvent, string]>([
    ['status 404', { kind: 'log', line: 'HTTP 404 of S', status: 404 }, '^HTTP 404 of S, in a new session too; where '],
    ['status 404 with an error of no request', line(LOST, 404), '^HTTP 404 of S: Session not found, in'],
    ['an error of another id, as of the SDK for Python', line(error('"server-error"', 'x'), 404), '^HTTP 404 of S: x,'],
    ['status 400 without a message', { kind: 'log', line: 'HTTP 400 of S', status: 400 }, '^HTTP 400 of S,'],
    ['status 400 with an error of no request', line(LOST, 400), '^HTTP 400 of S: Session not found, in'],
  ])('errors for %s', (_, event, text) =>
    marbles(({ hot, expectObservable }) => {
      const event$ = hot('-a-', { a: event }).pipe(failWhenLost({ name: 'S', session: 's', id: 1 }));
      expectObservable(event$).toBe('-#', {}, lost(text));
    })(),
  );

  it.each<[string, McpEvent]>([
    ['a message', line('{"jsonrpc":"2.0","id":1,"result":{}}')],
    ['the response to the request, whatever its status', line(error('1', 'no such tool'), 404)],
    ['another status', { kind: 'log', line: 'HTTP 503 of S', status: 503 }],
    ['a request without a response', { kind: 'log', line: 'x', requests: [1] }],
    ['a server that cannot be reached', { kind: 'ended', trouble: 'no way' }],
  ])('passes %s', (_, event) =>
    marbles(({ hot, expectObservable }) => {
      const event$ = hot('-a-', { a: event }).pipe(failWhenLost({ name: 'S', session: 's', id: 1 }));
      expectObservable(event$).toBe('-a-', { a: event });
    })(),
  );

  it(
    'passes everything where there is no session, and what the source does',
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const sent = failWhenLost({ name: 'S', session: undefined });
      expectObservable(hot('-a-', { a: line(LOST, 404) }).pipe(sent)).toBe('-a-', { a: line(LOST, 404) });
      expectObservable(cold<McpEvent>('|').pipe(sent)).toBe('|');
      expectObservable(cold<McpEvent>('-#').pipe(sent)).toBe('-#');
      const never$ = cold<McpEvent>('-');
      expectObservable(never$.pipe(sent), '--!').toBe('-');
      expectSubscriptions(never$.subscriptions).toBe('^-!');
    }),
  );
});

describe('SessionLost', () => {
  it('is an error with what to do where the session was a new one', () => {
    expect(new SessionLost('s', 'HTTP 404 of S').message).toBe(
      'HTTP 404 of S, in a new session too; where several servers share the address, all requests of a session must reach the same one',
    );
  });
});

describe('hasResponse', () => {
  it.each([
    ['{"id":0,"result":{}}', 0, true],
    ['{"id":"","error":{}}', '', true],
    ['[{"id":3,"result":{}},{"id":1,"result":{}}]', 1, true],
    ['{"id":"1","result":{}}', 1, false],
    ['{"id":1,"method":"ping"}', 1, false],
    ['{"id":1,"result":{}}', undefined, false],
  ])('of %s to %s: %s', (text, id, expected) => {
    expect(hasResponse(text, id)).toBe(expected);
  });
});
