import {
  concat,
  concatMap,
  defer,
  EMPTY,
  identity,
  ignoreElements,
  mergeMap,
  NEVER,
  type Observable,
  takeUntil,
  takeWhile,
  throwError,
  timer,
} from 'rxjs';
import type { HttpPost } from '../../../src/io/http/httpRequest';
import type { McpEvent } from '../../../src/io/mcpClient/failures';
import { endCancelled, httpClient, untilAnswered } from '../../../src/io/mcpClient/httpClient';
import type { ResponsePart } from '../../../src/io/mcpClient/readResponse';
import { marbles } from '../../support/marbles';
import { EVENTS, httpServer, type Response } from '../mcpHttp/httpServer';

const INIT = '{"id":0,"method":"initialize"}';

const READY = '{"method":"notifications/initialized"}';

const CALL = '{"id":1,"method":"tools/call"}';

const HELLO = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}';

const RESULT = '{"jsonrpc":"2.0","id":1,"result":{}}';

const NOTE = '{"jsonrpc":"2.0","method":"n"}';

const lines = { i: INIT, r: READY, c: CALL };

const line = (text: string): McpEvent => ({ kind: 'line', line: text });

const log = (text: string): McpEvent => ({ kind: 'log', line: text });

const events = { H: line(HELLO), R: line(RESULT), N: line(NOTE), F: { ...log('HTTP 500 of the server'), status: 500 } };

const UNANSWERED =
  'the server has ended its response without a result; see its log, and the limits of any proxy in front of it';

const remarks: Record<string, McpEvent> = {
  U: { kind: 'log', line: UNANSWERED, requests: [1] },
  M: { kind: 'log', line: 'HTTP 307 of the server', status: 307 },
};

const deps = { url: 'http://x/mcp', name: 'the server' };

const hello: Response = { status: 200, session: 's', body: '(t|)', text: HELLO };

const accepted: Response = { status: 202, type: 'text/plain', body: '|' };

describe('httpClient', () => {
  it.each([
    ['the message in a response', { status: 200, body: '-(t|)', text: RESULT }, '--(R|)'],
    ['the messages in events', { status: 200, type: EVENTS, body: '-(t|)', text: `data: ${RESULT}\n\n` }, '--(R|)'],
    ['nothing of a response without a body', accepted, '-|'],
    ['a remark on a request without a response', { status: 200, body: '-|' }, '--(U|)'],
    ['a redirect as a remark', { status: 307, type: 'text/plain', body: '|' }, '-(M|)'],
    ['a failure as a remark', { status: 500, type: 'text/plain', body: '|' }, '-(F|)'],
  ])('emits %s', (_, response: Response, expected) => {
    marbles(({ cold, expectObservable }) => {
      const client = httpClient({ ...deps, send: httpServer(cold, { [CALL]: response }) });
      expectObservable(client.post(CALL)).toBe(expected, { ...events, ...remarks });
    })();
  });

  it('sends a call of a tool once only, where a connection closes without a response', () => {
    const isOnce: unknown[] = [];
    const send: HttpPost = (request) => {
      isOnce.push(request.isOnce);
      return EMPTY;
    };
    const client = httpClient({ ...deps, send });
    for (const text of [INIT, READY, CALL, `[${CALL}]`, NOTE]) client.post(text).subscribe();
    expect(isOnce).toEqual([false, false, true, true, false]);
  });

  it('resumes the response to a request after the last event that came', () => {
    const asked: string[] = [];
    marbles(({ cold, expectObservable, flush }) => {
      const responses = {
        [CALL]: { status: 200, type: EVENTS, body: 't|', text: `id: 5\nretry: 20\ndata: ${NOTE}\n\n` },
        GET: { status: 200, type: EVENTS, body: '(t|)', text: `data: ${RESULT}\n\n` },
      };
      const client = httpClient({ ...deps, send: httpServer(cold, responses, asked) });
      expectObservable(client.post(CALL)).toBe('-N 101ms (R|)', events);
      flush();
    })();
    expect(asked).toEqual(['POST http://x/mcp -', 'GET http://x/mcp - 5']);
  });

  it('resumes a response in the session of its request, also where another has begun', () => {
    const asked: string[] = [];
    marbles(({ hot, cold, expectObservable, flush }) => {
      const responses = {
        [INIT]: [hello, { ...hello, session: 'later' }],
        [CALL]: { status: 200, type: EVENTS, body: 't--|', text: `id: 5\nretry: 100\ndata: ${NOTE}\n\n` },
        GET: { status: 404, body: '|' },
      };
      const client = httpClient({ ...deps, send: httpServer(cold, responses, asked) });
      const event$ = hot('i-ci', lines).pipe(mergeMap(client.post));
      expectObservable(event$, '200ms !').toBe('-H-NH 102ms U', { ...events, ...remarks });
      flush();
      expect(client.session()).toBe('later');
    })();
    expect(asked).toEqual([
      'POST http://x/mcp -',
      'POST http://x/mcp s',
      'POST http://x/mcp -',
      'GET http://x/mcp s 5',
    ]);
  });

  it('opens the stream of the session once the handshake is over, and ends the session', () => {
    const asked: string[] = [];
    marbles(({ hot, cold, expectObservable, flush }) => {
      const stream: Response = { status: 200, type: EVENTS, body: '-t--', text: `data: ${NOTE}\n\n` };
      const responses = { [INIT]: hello, [READY]: accepted, GET: stream, DELETE: accepted };
      const client = httpClient({ ...deps, send: httpServer(cold, responses, asked) });
      const line$ = hot('                                        i---r----|', lines);
      expectObservable(client.stream$).toBe('                    -------N--', events);
      expectObservable(line$.pipe(concatMap(client.post))).toBe('-H-------|', events);
      expectObservable(concat(line$.pipe(ignoreElements()), client.end())).toBe('---------- |');
      flush();
    })();
    expect(asked).toEqual([
      'POST http://x/mcp -',
      'POST http://x/mcp s',
      'GET http://x/mcp s',
      'DELETE http://x/mcp s',
    ]);
  });

  it('opens the stream of the older transport where its address takes no message, and posts to the endpoint', () => {
    const asked: string[] = [];
    marbles(({ hot, cold, expectObservable, flush }) => {
      const text = `event: endpoint\ndata: /m\n\ndata: ${HELLO}\n\n`;
      const responses = {
        [INIT]: [{ status: 405, type: 'text/plain', body: '|' }, accepted],
        [READY]: accepted,
        GET: { status: 200, type: EVENTS, body: '-t--', text },
      };
      const client = httpClient({ ...deps, send: httpServer(cold, responses, asked) });
      const line$ = hot('                                        i-----r-|', lines);
      expectObservable(client.stream$).toBe('                    ---H-----', events);
      expectObservable(line$.pipe(concatMap(client.post))).toBe('--------|');
      flush();
    })();
    expect(asked).toEqual([
      'POST http://x/mcp -',
      'GET http://x/mcp -',
      'POST http://x/m -', // READY opens no stream, as there is one
      'POST http://x/m -',
    ]);
  });

  it(
    'has no session to end before it has begun, and none is missed where the server has forgotten it',
    marbles(({ cold, expectObservable }) => {
      const fresh = httpClient({ ...deps, send: () => throwError(() => new Error('sent')) });
      expectObservable(fresh.end()).toBe('|');
      const server = httpServer(cold, { [INIT]: hello });
      const send: HttpPost = (request) => (request.method === 'DELETE' ? cold('-#') : server(request));
      const client = httpClient({ ...deps, send });
      expectObservable(concat(client.post(INIT), client.end())).toBe('-H|', events);
    }),
  );

  it.each([
    ['ends at a server that was never reached', 'c', '(E|)'],
    ['goes on behind a request that fails later', 'i-c', '-HL'],
  ])('%s', (_, source, expected) => {
    marbles(({ hot, cold, expectObservable }) => {
      const server = httpServer(cold, { [INIT]: hello });
      const send: HttpPost = (request) =>
        request.body === INIT ? server(request) : throwError(() => new Error('ECONNREFUSED\n'));
      const client = httpClient({ ...deps, send });
      const reached = 'the server cannot be reached: ECONNREFUSED';
      const values = {
        ...events,
        L: log(reached),
        E: { kind: 'ended', trouble: `${reached}; is the server running?` },
      };
      const event$ = hot(source, lines).pipe(
        concatMap(client.post),
        takeWhile(({ kind }) => kind !== 'ended', true),
      );
      expectObservable(event$).toBe(expected, values);
    })();
  });
});

const LINES = {
  c: '{"id":1,"method":"tools/call"}',
  d: '{"id":2,"method":"tools/call"}',
  b: '[{"id":1,"method":"a"},{"id":3,"method":"b"}]',
  x: '{"method":"notifications/cancelled","params":{"requestId":1}}',
  n: '{"method":"notifications/progress","params":{"requestId":1}}',
  y: '{"id":1,"result":{}}',
};

const VALUES = { C: { kind: 'line', line: 'C' }, D: { kind: 'line', line: 'D' } } satisfies Record<string, McpEvent>;

/** How long the response to a cancellation is read, in ms. */
const PATIENCE_MS = 6;

/** When the response to `c` and the one to `d` are read, beside other lines whose responses are `other`. */
const run = (
  lines: string,
  out: string,
  { other = '-|', first = LINES.c, c = '^', d = [] as string[] }: Record<string, string | string[]> = {},
) =>
  marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
    const call$ = cold<McpEvent>('-C----', VALUES);
    const second$ = cold<McpEvent>('----D|', VALUES);
    const post = (line: string): Observable<McpEvent> => {
      if (line === first) return call$;
      return line === LINES.d ? second$ : cold<McpEvent>(other as string);
    };
    const patience = (line: string) => (line === LINES.x ? takeUntil<McpEvent>(timer(PATIENCE_MS)) : identity);
    const client = endCancelled({ post, stream$: NEVER, session: () => 's', end: () => EMPTY });
    const event$ = hot(lines, LINES).pipe(mergeMap((line) => defer(() => client.post(line).pipe(patience(line)))));
    expectObservable(event$).toBe(out, VALUES);
    expectSubscriptions(call$.subscriptions).toBe(c);
    expectSubscriptions(second$.subscriptions).toBe(d);
  })();

describe('endCancelled', () => {
  it('reads a response to its end', () => run('c', '-C'));

  it('reads the response to a request no longer once the server has its cancellation', () =>
    run('c--x', '-C', { other: '--|', c: '^----!' }));

  it('reads it no longer once nobody waits any more for a server that does not accept the cancellation', () =>
    run('c--x', '-C', { other: '-', c: '^--------!' }));

  it('leaves other requests as they are', () => run('cd-x|', '-C---D|', { c: '^---!', d: ['-^----!'] }));

  it('takes another notification and a response for no cancellation', () => run('c--ny', '-C'));

  it('leaves a batch as it is, of which one request may be cancelled', () => run('b--x', '-C', { first: LINES.b }));

  it('is left by a cancellation that fails, which errors', () => run('c--x', '-C--#', { other: '-#', c: '^---!' }));
});

describe('untilAnswered', () => {
  const line = (text: string): ResponsePart => ({ kind: 'line', line: text });
  const PARTS: Record<string, ResponsePart> = {
    a: line('{"id":1,"result":{}}'),
    b: line('{"id":2,"error":{}}'),
    n: line('{"method":"notifications/progress"}'),
    q: line('{"id":1,"method":"ping"}'),
    e: { kind: 'event', event: { data: '' } },
    f: { kind: 'failed', status: 500 },
  };

  describe('untilAnswered', () => {
    const run = (requests: number[], part: string, out: string, sub: string) =>
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const part$ = cold(part, PARTS);
        expectObservable(part$.pipe(untilAnswered(requests)), '3s !').toBe(out, PARTS);
        expectSubscriptions(part$.subscriptions).toBe(sub);
      })();

    it('ends a response that the server keeps open a second behind its answer', () =>
      run([1], '-na---', '-na 999ms |', '^- 1s !'));
    it('passes what comes in that second', () => run([1], '-a-ne-', '-a-ne 996ms |', '^ 1000ms !'));
    it('waits for the last answer', () => run([1, 2], '-a--b-', '-a--b 999ms |', '^--- 1s !'));
    it('takes a failure for an answer to all', () => run([1, 2], '-f-', '-f 999ms |', '^ 1s !'));
    it('takes nothing else for an answer', () => run([1], '-nqeb-', '-nqeb-', '^ 2999ms !'));
    it('passes all where no request is answered here', () => run([], '-na---', '-na---', '^ 2999ms !'));
    it('ends and fails with the response', () => {
      run([1], '-na-|', '-na-|', '^---!');
      run([1], '-na-#', '-na-#', '^---!');
      run([1], '|', '|', '(^!)');
      run([1], '-', '-', '^ 2999ms !');
    });
  });
});
