import { toRemark } from '../../../src/io/mcpClient/clientStreams';
import {
  errorIn,
  failWhenLost,
  hasResponse,
  type McpEvent,
  SessionLost,
  toFailure,
  toStatusText,
} from '../../../src/io/mcpClient/failures';
import { marbles } from '../../support/marbles';

const line = (text: string, status?: number): McpEvent => ({
  kind: 'line',
  line: text,
  ...(status !== undefined && { status }),
});

const OVER = '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}';

describe('toFailure', () => {
  it('names the token alone where there is no login', () => {
    const event: McpEvent = { kind: 'log', line: 'HTTP 401 of S', status: 401, challenge: 'Bearer' };
    expect(toFailure({ name: 'S' }, event)).toBe(
      'HTTP 401 of S; bearer_token_env_var names the variable with its token',
    );
  });

  it.each<[string, McpEvent, string | undefined]>([
    ['a message', line('{"jsonrpc":"2.0","id":1,"result":{}}'), undefined],
    [
      'an error that responds to a request',
      line('{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}', 400),
      undefined,
    ],
    ['an error of no request', line(OVER), undefined],
    ['a session that is over', line(OVER, 404), 'HTTP 404 of S: Session not found'],
    ['a session that is over, in other words', line('{"jsonrpc":"2.0","id":null,"error":7}', 400), 'HTTP 400 of S'],
    ['a status without a message', { kind: 'log', line: 'HTTP 500 of S', status: 500 }, 'HTTP 500 of S'],
    [
      'a server that wants a token',
      { kind: 'log', line: 'HTTP 401 of S', status: 401 },
      'HTTP 401 of S; bearer_token_env_var names the variable with its token',
    ],
    [
      'a server that refuses, such as one that checks the header Host',
      { kind: 'log', line: 'HTTP 403 of S', status: 403 },
      'HTTP 403 of S; it may require a token, which bearer_token_env_var names, or accept only another host name, such as localhost',
    ],
    [
      'a server that knows OAuth',
      { kind: 'log', line: 'HTTP 401 of S', status: 401, challenge: 'Bearer resource_metadata="https://x"' },
      'HTTP 401 of S; LOGIN logs in, or bearer_token_env_var names the variable with its token',
    ],
    [
      'a redirect',
      { kind: 'log', line: 'HTTP 307 of S, which leads to T', status: 307 },
      'HTTP 307 of S, which leads to T; redirects are not followed, so that headers go nowhere else: set url to the final address',
    ],
    [
      'a path that is not there',
      { kind: 'log', line: 'HTTP 404 of S', status: 404 },
      'HTTP 404 of S; see the path of its url',
    ],
    ['a request without a response', { kind: 'log', line: 'x', requests: [1] }, undefined],
    ['a connection that broke', { kind: 'log', line: 'S cannot be reached: x' }, 'S cannot be reached: x'],
    ['a server that was never reached', { kind: 'ended', trouble: 'no way' }, 'no way'],
  ])('%s', (_, event, expected) => {
    expect(toFailure({ name: 'S', login: 'LOGIN' }, event)).toBe(expected);
  });
});

describe('toStatusText', () => {
  it.each([
    ['{"id":null,"error":{"message":"Session not found"}}', 'HTTP 404 of S: Session not found'],
    ['{"id":null,"error":{}}', 'HTTP 404 of S'],
  ])('of %s', (text, expected) => {
    expect(toStatusText('S', { line: text, status: 404 })).toBe(expected);
  });
});

describe('errorIn', () => {
  it.each([
    ['{"id":1,"error":{"message":"busy"}}', 'busy'],
    ['{"id":1,"error":7}', undefined],
    ['{"id":1,"result":{"message":"m"}}', undefined],
    ['{"method":"m","error":{"message":"m"}}', undefined],
    ['no message', undefined],
  ])('of %s: %s', (text, expected) => {
    expect(errorIn(text)).toBe(expected);
  });
});

const at = { name: 'S', url: 'https://x/mcp' };

type Part = Parameters<typeof toRemark>[1];

describe('toRemark', () => {
  it.each<[string, Part, object]>([
    ['a status', { kind: 'failed', status: 500 }, { line: 'HTTP 500 of S', status: 500 }],
    [
      'a redirect on the same host',
      { kind: 'failed', status: 307, location: '/mcp/' },
      { line: 'HTTP 307 of S, which leads to https://x/mcp/', status: 307 },
    ],
    [
      'a redirect with secrets in it',
      { kind: 'failed', status: 302, location: 'https://u:p@y/s/0a1b2c3d4e5f6a7b/login?token=t#f' },
      { line: 'HTTP 302 of S, which leads to https://y/s/[redacted]/login', status: 302 },
    ],
    [
      'a redirect to no address',
      { kind: 'failed', status: 302, location: 'http://' },
      { line: 'HTTP 302 of S', status: 302 },
    ],
    [
      'what a server wants',
      { kind: 'failed', status: 401, challenge: 'Bearer' },
      { line: 'HTTP 401 of S', status: 401, challenge: 'Bearer' },
    ],
    [
      'a web page',
      { kind: 'failed', status: 200, type: 'text/html' },
      { line: 'S answers with text/html, not with a message; see its path' },
    ],
    [
      'requests without a response',
      { kind: 'unanswered', requests: [1] },
      {
        line: 'S has ended its response without a result; see its log, and the limits of any proxy in front of it',
        requests: [1],
      },
    ],
    [
      'a connection that broke',
      { kind: 'unanswered', requests: [1, 'a'], cause: 'closed' },
      {
        line: 'S has ended its response without a result (closed); see its log, and the limits of any proxy in front of it',
        requests: [1, 'a'],
      },
    ],
  ])('names %s', (_, part, event) => {
    expect(toRemark(at, part)).toEqual({ kind: 'log', ...event });
  });
});

describe('sessionLost', () => {
  const line = (text: string, status?: number): McpEvent => ({ kind: 'line', line: text, ...(status && { status }) });
  const error = (id: string, message: string): string =>
    `{"jsonrpc":"2.0","id":${id},"error":{"message":"${message}"}}`;
  const LOST = error('null', 'Session not found');
  const lost = (text: string) =>
    expect.objectContaining({ name: 'SessionLost', session: 's', message: expect.stringMatching(text) });

  describe('failWhenLost', () => {
    it.each<[string, McpEvent, string]>([
      [
        'status 404',
        { kind: 'log', line: 'HTTP 404 of S', status: 404 },
        '^HTTP 404 of S, in a new session too; where ',
      ],
      ['status 404 with an error of no request', line(LOST, 404), '^HTTP 404 of S: Session not found, in'],
      [
        'an error of another id, as of the SDK for Python',
        line(error('"server-error"', 'x'), 404),
        '^HTTP 404 of S: x,',
      ],
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
});
