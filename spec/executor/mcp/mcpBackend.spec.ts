import { concatMap, ignoreElements, merge, mergeMap, type Observable } from 'rxjs';
import { mcpBackend } from '../../../src/executor/mcp/mcpBackend';
import { silentLog } from '../../../src/protocol/log';
import { httpServer, type Response } from '../../io/mcpHttp/httpServer';
import { marbles } from '../../support/marbles';

const INIT = '{"id":0,"method":"initialize"}';
const CALL = '{"id":1,"method":"tools/call"}';
const EMPTY = '{"id":1,"method":"tools/list"}';
const HELLO = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}';
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{}}';
const TOOLS_CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
const deps = {
  beginMs: 20,
  log: silentLog,
  url: 'http://x/mcp',
  name: 'http://x/mcp',
  background: (task$: Observable<never>) => void task$.subscribe(),
};
const SPEC = { argv: ['http://x/mcp'], cwd: '/', env: {} };

const output = (seq: number, line: string) => ({ kind: 'output', seq, stream: 'stdout', chunk: `${line}\n` });
const failed = (seq: number, reason: string) => ({ kind: 'failed', seq, reason });

/** The life of a session to which lines are written, and what is asked of the server. */
const lifeOf = (
  lines: string,
  expected: string,
  values: Record<string, object>,
  unsub?: string,
  calls: Response | Response[] = { status: 500, type: 'text/plain', body: '|' },
): string[] => {
  const asked: string[] = [];
  marbles(({ hot, cold, expectObservable }) => {
    const responses = {
      [INIT]: ['s', 't'].map((session) => ({ status: 200, session, body: '(t|)', text: HELLO })),
      [CALL]: calls,
      [EMPTY]: { status: 200, body: '-|' },
      DELETE: { status: 200, body: '-----------|' },
    };
    const send = httpServer(cold, responses, asked);
    const write$ = hot(lines, { i: INIT, c: CALL, u: EMPTY });
    const life$ = mcpBackend({ ...deps, send })
      .start(SPEC)
      .pipe(
        mergeMap((event) => {
          if (event.kind !== 'started')
            return [event.kind === 'output' ? { ...event, chunk: String(event.chunk) } : event];
          const written$ = write$.pipe(
            concatMap((line) => event.process.write(Buffer.from(`${line}\n`))),
            ignoreElements(),
          );
          return merge(['started'], written$);
        }),
      );
    expectObservable(life$, unsub).toBe(expected, { s: 'started', ...values });
  })();
  return asked;
};

describe('mcpBackend', () => {
  it('is a session in place of a process: lines written, lines of the server as output; unsubscribing ends it there', () => {
    const asked = lifeOf('  -i----', 's-I----', { I: output(1, HELLO) }, '------!');
    expect(asked).toEqual(['POST http://x/mcp -', 'DELETE http://x/mcp s']);
  });

  it('fails if the server refuses a message, for its response is lost', () => {
    const asked = lifeOf(
      '  -i--c-|',
      's-I--f|',
      { I: output(1, HELLO), f: failed(2, 'HTTP 500 of http://x/mcp') },
      '---------!',
    );
    expect(asked).toEqual(['POST http://x/mcp -', 'POST http://x/mcp s', 'DELETE http://x/mcp s']);
  });

  it('sends a message again in a new session if the server has forgotten it, and ends that one', () => {
    const lost = { status: 404, type: 'text/plain', body: '|' };
    const result = { status: 200, body: '(t|)', text: RESULT };
    const values = { I: output(1, HELLO), T: output(2, TOOLS_CHANGED), C: output(3, RESULT) };
    const asked = lifeOf('i--c----', 'sI---TC-', values, '--------!', [lost, result]);
    expect(asked).toEqual([
      ...['POST http://x/mcp -', 'POST http://x/mcp s'],
      ...['POST http://x/mcp -', 'POST http://x/mcp t', 'DELETE http://x/mcp t'],
    ]);
  });

  it('answers a request that gets no response, and the session goes on', () => {
    const message =
      'http://x/mcp has ended its response without a result; see its log, and the limits of any proxy in front of it';
    const error = JSON.stringify({ code: -32603, message });
    const U = output(2, `{"jsonrpc":"2.0","id":1,"error":${error}}`);
    lifeOf('  -i--u---', 's-I---U', { I: output(1, HELLO), U }, '--------!');
  });

  it('waits a second at most for the server to end the session', () =>
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const server = httpServer(cold, { [INIT]: { status: 200, session: 's', body: '(t|)', text: HELLO } });
      const end$ = cold<never>('-');
      const send: typeof server = (request) => (request.method === 'DELETE' ? end$ : server(request));
      const life$ = mcpBackend({ ...deps, send })
        .start(SPEC)
        .pipe(
          mergeMap((event) =>
            event.kind === 'started' ? event.process.write(Buffer.from(`${INIT}\n`)).pipe(ignoreElements()) : ['o'],
          ),
        );
      expectObservable(life$, '---!').toBe('-o');
      expectSubscriptions(end$.subscriptions).toBe('---^ 999ms !');
    })());

  it('has nothing to read again, and takes no signal', () =>
    marbles(({ cold, expectObservable }) => {
      const life$ = mcpBackend({ ...deps, send: httpServer(cold, {}) }).start(SPEC);
      const process$ = life$.pipe(
        mergeMap((event) => {
          if (event.kind !== 'started') return [];
          const { read, acknowledge, signal, terminate, closeStdin } = event.process;
          const page$ = read({ afterSeq: 3, waitMs: 0 }).pipe(
            concatMap(({ chunks, nextSeq }) => [chunks.length, nextSeq]),
          );
          return merge(page$, acknowledge(1), signal('interrupt'), terminate(), closeStdin());
        }),
      );
      const values = { a: 0, b: 4, u: undefined, t: true, c: 'accepted' };
      expectObservable(process$, '-!').toBe('(abuutc)', values);
    })());
});
