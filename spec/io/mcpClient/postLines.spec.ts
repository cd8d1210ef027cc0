import { throwError } from 'rxjs';
import type { McpEvent } from '../../../src/io/mcpClient/failures';
import {
  type ClientEvent,
  dialMcp,
  postLines,
  toWaiting,
  untilQuiet,
  withdrawals,
} from '../../../src/io/mcpClient/postLines';
import { marbles } from '../../support/marbles';
import { EVENTS, httpServer } from '../mcpHttp/httpServer';

const LINES = {
  a: '{"id":1,"method":"a"}',
  b: '{"id":2,"method":"b"}',
  n: '{"method":"n"}',
  m: '[{"method":"n"},{"id":3,"method":"c"}]',
  x: '{"method":"notifications/cancelled","params":{"requestId":2}}',
};
const EVENT = { kind: 'line', line: 'x' } as const;

describe('postLines', () => {
  const run = (lines: string, duration: string, expected: string) =>
    marbles(({ hot, cold, expectObservable }) => {
      const post = () => cold<typeof EVENT>(duration, { x: EVENT });
      expectObservable(hot(lines, LINES).pipe(postLines({ post }))).toBe(expected, { x: EVENT });
    })();

  it('sends requests side by side', () => run('ab---|', '---(x|)', '---xx|'));
  it('takes a batch with a request as one', () => run('mb---|', '---(x|)', '---xx|'));
  it('sends what follows another message once that was accepted', () => run('nb---|', '---(x|)', '---x--(x|)'));
  it('sends what follows a message that the server does not accept 5 s later, and listens to it for a minute', () =>
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const silent$ = cold<typeof EVENT>('-');
      const post = (line: string) => (line === LINES.n ? silent$ : cold('-(x|)', { x: EVENT }));
      expectObservable(hot('nb', LINES).pipe(postLines({ post }))).toBe('5001ms x', { x: EVENT });
      expectSubscriptions(silent$.subscriptions).toBe('^ 59999ms !');
    })());
  it('lets nothing wait for a cancellation, to whose response it listens for a minute', () =>
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const silent$ = cold<typeof EVENT>('-');
      const post = (line: string) => (line === LINES.x ? silent$ : cold('-(x|)', { x: EVENT }));
      expectObservable(hot('bxa', LINES).pipe(postLines({ post }))).toBe('-x-x', { x: EVENT });
      expectSubscriptions(silent$.subscriptions).toBe('-^ 59999ms !');
    })());
  it('sends a request no more that was cancelled while it waited, nor its cancellation', () =>
    marbles(({ hot, cold, expectObservable, flush }) => {
      const sent: string[] = [];
      const post = (line: string) => {
        sent.push(line);
        return line === LINES.n ? cold<typeof EVENT>('-') : cold('-(x|)', { x: EVENT });
      };
      expectObservable(hot('nbax', LINES).pipe(postLines({ post }))).toBe('5001ms x', { x: EVENT });
      flush();
      expect(sent).toEqual([LINES.n, LINES.a]);
    })());
  it('emits all that is responded to a message', () => run('a|', '-x-x-|', '-x-x-|'));
});

const A = '{"id":1,"method":"tools/call"}';
const B = '{"id":"1","method":"tools/call"}';
const X = '{"method":"notifications/cancelled","params":{"requestId":1}}';
const N = '{"method":"notifications/initialized"}';
const Y = '{"id":1,"result":{}}';

describe('toWaiting', () => {
  it.each([
    ['a request', A, { isRequest: true, id: 1 }],
    ['a cancellation', X, { isRequest: false, cancels: 1 }],
    ['another notification', N, { isRequest: false }],
    ['a response', Y, { isRequest: false }],
    ['a batch with a request, of which one may be cancelled', `[${A},${X}]`, { isRequest: true }],
    ['a batch without one', `[${X},${N}]`, { isRequest: false }],
    ['what is no message', 'x', { isRequest: false }],
  ])('reads %s', (_, line, expected) => {
    expect(toWaiting(line)).toEqual({ line, ...expected });
  });
});

describe('withdrawals', () => {
  /** The lines that are sent; those of `early` have come before the turn of the first. */
  const sent = (early: readonly string[], late: readonly string[] = []): string[] => {
    const { arrive, isLeftOut } = withdrawals();
    const turn = (lines: readonly string[]) => lines.map(toWaiting).filter((line) => !isLeftOut(line));
    for (const line of early) arrive(toWaiting(line));
    const first = turn(early);
    for (const line of late) arrive(toWaiting(line));
    return [...first, ...turn(late)].map(({ line }) => line);
  };

  it('leaves out a request that is cancelled before its turn, and the cancellation', () => {
    expect(sent([N, A, B, Y, X])).toEqual([N, B, Y]);
  });

  it('sends the cancellation of a request that was sent', () => {
    expect(sent([A], [X, N])).toEqual([A, X, N]);
  });

  it('sends a later request of the same id, whether the first was left out or sent', () => {
    expect(sent([A, X], [A, X])).toEqual([]);
    expect(sent([A, X], [A])).toEqual([A]);
    expect(sent([A], [X, A])).toEqual([A, X, A]);
  });
});

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
