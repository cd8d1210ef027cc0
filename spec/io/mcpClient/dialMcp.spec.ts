import { throwError } from 'rxjs';
import { type ClientEvent, dialMcp, untilQuiet } from '../../../src/io/mcpClient/dialMcp';
import type { McpEvent } from '../../../src/io/mcpClient/failures';
import { marbles } from '../../support/marbles';
import { EVENTS, httpServer } from '../mcpHttp/httpServer';

const INIT = '{"id":0,"method":"initialize"}';
const READY = '{"method":"notifications/initialized"}';
const CALL = '{"id":1,"method":"tools/call"}';
const HELLO = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}';
const RESULT = '{"jsonrpc":"2.0","id":1,"result":{}}';
const NOTE = '{"jsonrpc":"2.0","method":"n"}';

const lines = { i: INIT, r: READY, c: CALL };
const event = (line: string): McpEvent => ({ kind: 'line', line });
const events = { H: event(HELLO), R: event(RESULT), N: event(NOTE) };

const deps = { url: 'http://x/mcp', name: 'http://x/mcp' };

describe('dialMcp', () => {
  it('speaks the newer transport: a session, its stream, its end', () => {
    const asked: string[] = [];
    marbles(({ hot, cold, expectObservable, flush }) => {
      const responses = {
        [INIT]: { status: 200, session: 's', body: '(t|)', text: HELLO },
        [READY]: { status: 202, body: '|' },
        GET: { status: 200, type: EVENTS, body: '-t----', text: `data: ${NOTE}\n\n` },
        [CALL]: { status: 200, type: EVENTS, body: '-(t|)', text: `data: ${RESULT}\n\n` },
        DELETE: { status: 200, body: '|' },
      };
      const line$ = hot('   i----r----c----|', lines);
      const expected = '    -H------N---R 253ms |';
      expectObservable(line$.pipe(dialMcp({ ...deps, send: httpServer(cold, responses, asked) }))).toBe(
        expected,
        events,
      );
      flush();
    })();
    expect(asked).toEqual([
      'POST http://x/mcp -',
      'POST http://x/mcp s',
      'GET http://x/mcp s',
      'POST http://x/mcp s',
      'DELETE http://x/mcp s',
    ]);
  });

  it('goes over to the older transport', () => {
    const asked: string[] = [];
    marbles(({ hot, cold, expectObservable, flush }) => {
      const endpoint = `event: endpoint\ndata: /message?sessionId=1\n\ndata: ${HELLO}\n\n`;
      const responses = {
        GET: { status: 200, type: EVENTS, body: 't-----', text: endpoint },
        [INIT]: [
          { status: 404, type: 'text/html', body: '|' },
          { status: 202, type: 'text/plain', body: '|' },
        ],
      };
      const line$ = hot('   i-|', lines);
      const expected = '    --H 250ms |';
      expectObservable(line$.pipe(dialMcp({ ...deps, send: httpServer(cold, responses, asked) }))).toBe(
        expected,
        events,
      );
      flush();
    })();
    expect(asked).toEqual(['POST http://x/mcp -', 'GET http://x/mcp -', 'POST http://x/message?sessionId=1 -']);
  });

  it('sends nothing to the endpoint of another server', () => {
    const asked: string[] = [];
    marbles(({ hot, cold, expectObservable, flush }) => {
      const responses = {
        GET: { status: 200, type: EVENTS, body: 't-----', text: 'event: endpoint\ndata: //y/m\n\n' },
        [INIT]: { status: 404, type: 'text/html', body: '|' },
      };
      const send = httpServer(cold, responses, asked);
      const trouble = 'http://x/mcp names an endpoint that is not its own, so no message is sent there';
      expectObservable(hot('---i-|', lines).pipe(dialMcp({ ...deps, send }))).toBe('-----(x|)', {
        x: { kind: 'ended', trouble },
      });
      flush();
    })();
    expect(asked).toEqual(['POST http://x/mcp -', 'GET http://x/mcp -']);
  });

  it(
    'reports a server that cannot be reached, and one that fails later',
    marbles(({ hot, cold, expectObservable }) => {
      const refused = () => throwError(() => new Error('ECONNREFUSED'));
      const trouble = 'http://x/mcp cannot be reached: ECONNREFUSED; is the server running?';
      expectObservable(hot('-i--', lines).pipe(dialMcp({ ...deps, send: refused }))).toBe('-(x|)', {
        x: { kind: 'ended', trouble },
      });
      const responses = {
        [INIT]: { status: 200, body: '(t|)', text: HELLO },
        [CALL]: { status: 500, type: 'text/plain', body: '|' },
      };
      const send = httpServer(cold, responses);
      expectObservable(hot('i--c-|', lines).pipe(dialMcp({ ...deps, send }))).toBe('-H--L- 249ms |', {
        ...events,
        L: { kind: 'log', line: 'HTTP 500 of http://x/mcp', status: 500 },
      });
    }),
  );

  it(
    'ends where a response does not, once the server is silent',
    marbles(({ hot, cold, expectObservable }) => {
      const responses = {
        [CALL]: { status: 200, type: EVENTS, body: '-t----', text: `data: ${NOTE}\n\n` },
      };
      const send = httpServer(cold, responses);
      expectObservable(hot('c-|', lines).pipe(dialMcp({ ...deps, send }))).toBe('--N 1999ms |', events);
    }),
  );
});

describe('untilQuiet', () => {
  const events: Record<string, ClientEvent> = {
    r: { kind: 'line', line: 'response' },
    n: { kind: 'line', line: 'notification' },
    p: { kind: 'posted' },
  };

  describe('untilQuiet', () => {
    it.each([
      ['a quarter of a second after all responses have ended', '--|', '--r-p---', '--r- 250ms |'],
      ['that long, whatever the server sends in it', '          --|', '--r-p-n-', '--r---n 247ms |'],
      ['two seconds after the last event of a response that goes on', '--|', '---r--n-', '---r--n 1999ms |'],
      ['two seconds after the last line, where nothing comes', '  --|', '--------', '-- 2s |'],
      ['not while the client goes on', '                          -----', '-r--n---', '-r--n---'],
      ['when the events do', '                                    --|', 'r--|', 'r--|'],
      ['with the error of the events', '                          --|', 'r--#', 'r--#'],
      ['with what comes last in the same instant', '              --|', '-(rp)', '-r 249ms |'],
    ])('completes %s', (_, lines, input, expected) =>
      marbles(({ hot, cold, expectObservable }) => {
        expectObservable(hot(input, events).pipe(untilQuiet(cold(lines)))).toBe(expected, events);
      })(),
    );

    it(
      'lets both go when nobody listens',
      marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
        const [event$, line$] = [hot('-r----', events), cold('-----')];
        expectObservable(event$.pipe(untilQuiet(line$)), '--!').toBe('-r', events);
        expectSubscriptions(event$.subscriptions).toBe('^-!');
        expectSubscriptions(line$.subscriptions).toBe('^-!');
      }),
    );
  });
});
