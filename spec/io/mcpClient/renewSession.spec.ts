import { defer, EMPTY, map, merge, mergeMap, NEVER, type Observable, of, switchMap, throwError } from 'rxjs';
import { type McpEvent, SessionLost } from '../../../src/io/mcpClient/failures';
import { beginSession, readySession, renewSession, sendAgain } from '../../../src/io/mcpClient/renewSession';
import { type Log, silentLog } from '../../../src/protocol/log';
import { marbles } from '../../support/marbles';

const LINES = {
  i: '{"id":0,"method":"initialize"}',
  r: '{"method":"notifications/initialized"}',
  c: '{"id":1,"method":"tools/call"}',
  d: '{"id":2,"method":"tools/call"}',
  x: '{"method":"notifications/cancelled","params":{"requestId":1}}',
  l: '{"id":1,"method":"tools/list"}',
  n: '{"method":"notifications/progress"}',
  y: '{"id":"q","result":{}}',
};

const NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(LINES).map(([name, text]) => [text, name]),
);

const line = (text: string, status?: number): McpEvent => ({ kind: 'line', line: text, ...(status && { status }) });

const F = line('{"jsonrpc":"2.0","id":null,"error":{"message":"Session not found"}}', 404);

const events: Record<string, McpEvent> = {
  F,
  I: line('{"id":0,"result":{}}'),
  C: line('{"id":1,"result":{}}'),
  D: line('{"id":2,"result":{}}'),
  T: line('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'),
  S: line('{"method":"of the stream"}'),
  B: { kind: 'log', line: 'the response broke off', requests: [1] },
  E: {
    kind: 'ended',
    trouble:
      'HTTP 404 of S: Session not found, in a new session too; where several servers share the address, all requests of a session must reach the same one',
  },
  N: {
    kind: 'ended',
    trouble: 'S no longer knows the session, and no new one could be started: HTTP 404 of S: Session not found',
  },
};

type Run = {
  lines: string;
  out: string;
  stream?: string;
  responses: Record<string, string | string[]>;
  own$?: string;
  log?: Log;
};

/** What is sent to a server, by name, with the session; a session begins with each response to `i`. The last response to a line is repeated. */
const run = ({ lines, out, stream = '-', own$ = '-', responses, log = silentLog }: Run): string => {
  const sent: string[] = [];
  const counts = new Map<string, number>();
  marbles(({ cold, hot, expectObservable, flush }) => {
    let sessions = 0;
    const post = (text: string): Observable<McpEvent> => {
      const name = NAMES[text] ?? '';
      sent.push(name === 'i' ? 'i' : `${name}${sessions}`);
      const count = counts.get(name) ?? 0;
      counts.set(name, count + 1);
      const all = [responses[name] ?? '-|'].flat();
      const begins = (event: McpEvent): McpEvent => {
        if (event === events.I) sessions += 1;
        return event;
      };
      return cold(all[count] ?? (all.at(-1) as string), events).pipe(map(begins));
    };
    const client = { post, stream$: cold(own$, events), session: () => `${sessions}`, end: () => EMPTY };
    const { post: postOnce, stream$ } = renewSession({ client, name: 'S', beginMs: 20, log });
    expectObservable(stream$).toBe(stream, events);
    expectObservable(hot(lines, LINES).pipe(mergeMap((text) => defer(() => postOnce(text))))).toBe(out, events);
    flush();
  })();
  return sent.join(' ');
};

const opening = { i: '-I|', r: '-|' };

describe('renewSession', () => {
  it('posts as the client does, and has its stream', () => {
    const responses = { ...opening, c: '-C|', n: '-|', y: '-|' };
    expect(run({ lines: 'i-r-c-n-y|', out: '-I---C---|', own$: '---S', stream: '---S', responses })).toBe(
      'i r1 c1 n1 y1',
    );
  });

  it('sends a call that is rejected for its session in a new one, and emits that its tools may be others', () => {
    const responses = { ...opening, c: ['-F|', '-C|'] };
    expect(run({ lines: 'i-r-c|', out: '-I------C|', stream: '-------T', responses })).toBe('i r1 c1 i r2 c2');
  });

  it('sends a notification again likewise', () => {
    const responses = { ...opening, n: ['-F|', '-|'] };
    expect(run({ lines: 'i-r-n|', out: '-I------|', stream: '-------T', responses })).toBe('i r1 n1 i r2 n2');
  });

  it('does not emit that for a list of the tools, which is itself sent again, so that no list asks for another', () => {
    const responses = { ...opening, l: ['-F|', '-C|'] };
    expect(run({ lines: 'i-r-l|', out: '-I------C|', responses })).toBe('i r1 l1 i r2 l2');
  });

  it('begins one session for all calls that are rejected side by side, each of which is sent again once', () => {
    const responses = { ...opening, c: ['-F|', '-C|'], d: ['-F|', '--D|'] };
    expect(run({ lines: 'i-r-cd|', out: '-I------CD|', stream: '-------T', responses })).toBe('i r1 c1 d1 i r2 c2 d2');
  });

  it('begins none for a call that was rejected when there is another already', () => {
    const responses = { ...opening, c: ['-F|', '-C|'], d: ['------F|', '-D|'] };
    expect(run({ lines: 'i-r-cd|', out: '-I------C---D|', stream: '-------T', responses })).toBe(
      'i r1 c1 d1 i r2 c2 d2',
    );
  });

  it('lets a call wait that is posted while a session begins', () => {
    const responses = { ...opening, c: ['-F|', '-C|'], d: '--D|' };
    expect(run({ lines: 'i-r-c-d|', out: '-I------CD|', stream: '-------T', responses })).toBe('i r1 c1 i r2 c2 d2');
  });

  it('leaves a call that the server has accepted as it is, also where its response breaks off', () => {
    const responses = { ...opening, c: '----B|', d: ['-F|', '-D|'] };
    expect(run({ lines: 'i-r-cd|', out: '-I------B D|', stream: '--------T', responses })).toBe('i r1 c1 d1 i r2 d2');
  });

  it('ends with what to do where the call is rejected in the new session too', () => {
    const responses = { ...opening, c: '-F|' };
    expect(run({ lines: 'i-r-c|', out: '-I------(E|)', stream: '-------T', responses })).toBe('i r1 c1 i r2 c2');
  });

  it('ends with the reason where no session begins', () => {
    const responses = { ...opening, i: ['-I|', '-F|'], c: '-F|' };
    expect(run({ lines: 'i-r-c|', out: '-I----(N|)', responses })).toBe('i r1 c1 i');
  });

  it('logs each new session, and none that does not begin', () => {
    const records: unknown[][] = [];
    const log: Log = (...record) => void records.push(record);
    const renewed = { ...opening, c: ['-F|', '-C|'], d: ['-F|', '--D|'] };
    run({ lines: 'i-r-cd|', out: '-I------CD|', stream: '-------T', responses: renewed, log });
    const text = 'a session with an MCP server was lost, and a new one began';
    expect(records).toEqual([['info', text, { server: 'S' }]]);
    run({ lines: 'i-r-c|', out: '-I----(N|)', responses: { ...opening, i: ['-I|', '-F|'], c: '-F|' }, log });
    expect(records).toHaveLength(1);
  });

  it('does not send a call again that is cancelled while it waits, and keeps the session for the next', () => {
    const responses = { ...opening, c: '-F|' };
    expect(run({ lines: 'i-r-c-x|', out: '-I------|', stream: '-------T', responses })).toBe('i r1 c1 i r2 x2');
  });

  it('sends the cancellation of a call that was sent again', () => {
    const responses = { ...opening, c: ['-F|', '----|'] };
    expect(run({ lines: 'i-r-c----x|', out: '-I---------|', stream: '-------T', responses })).toBe(
      'i r1 c1 i r2 c2 x2',
    );
  });

  it('leaves a response that is rejected, and a handshake, to those who read the events', () => {
    expect(run({ lines: 'i-r-y|', out: '-I---F|', responses: { ...opening, y: '-F|' } })).toBe('i r1 y1');
    expect(run({ lines: 'i-r-|', out: '-I-F|', responses: { ...opening, r: '-F|' } })).toBe('i r1');
    expect(run({ lines: 'i-|', out: '-F|', responses: { i: '-F|' } })).toBe('i');
  });
});

describe('beginSession', () => {
  const INIT = '{"id":1,"method":"initialize"}';
  const READY = '{"method":"notifications/initialized"}';
  const error = (id: number | null, message: string): string => JSON.stringify({ id, error: { message } });
  const LOST = line(error(null, 'Session not found'), 404);
  const events: Record<string, McpEvent> = {
    I: line('{"id":1,"result":{}}'),
    N: line('{"method":"notifications/message"}'),
    R: line(error(1, 'too old')),
    S: line(error(1, 'busy'), 503),
    W: { kind: 'log', line: 'HTTP 401 of S', status: 401, challenge: 'Bearer' },
    U: { kind: 'log', line: 'S has ended its response', requests: [1] },
    E: { kind: 'ended', trouble: 'S cannot be reached' },
    L: LOST,
  };
  /** A session that begins with these responses to its two lines, and the lines that are sent. */
  const begun = (responses: [string, string?], expected: string, reason = '', unsub?: string): string[] => {
    const sent: string[] = [];
    marbles(({ cold, expectObservable }) => {
      const post = (text: string): Observable<McpEvent> => {
        sent.push(text);
        return cold(responses[text === INIT ? 0 : 1] ?? '|', events);
      };
      const client = { post, session: () => 's' };
      const session$ = beginSession({ client, opening: [INIT, READY], beginMs: 20, name: 'S', login: 'LOGIN' });
      expectObservable(session$, unsub).toBe(expected, {}, expect.objectContaining({ message: reason }));
    })();
    return sent;
  };
  const none = (reason: string) => `S no longer knows the session, and no new one could be started: ${reason}`;

  it('sends the handshake, each line when the one before is answered', () => {
    expect(begun(['--I|', '--|'], '----|')).toEqual([INIT, READY]);
  });

  it('does not wait for the end of the stream that answers', () => {
    expect(begun(['-NI---', '-|'], '---|')).toEqual([INIT, READY]);
  });

  it.each<[string, [string, string?], string, string]>([
    ['the server rejects the client', ['-R|'], '-#', none('too old')],
    ['it answers with an error', ['-S|'], '-#', none('HTTP 503 of S: busy')],
    [
      'it wants a login',
      ['-W|'],
      '-#',
      none('HTTP 401 of S; LOGIN logs in, or bearer_token_env_var names the variable with its token'),
    ],
    ['it does not answer', ['-U|'], '-#', none('S has ended its response')],
    ['it cannot be reached', ['-E|'], '-#', none('S cannot be reached')],
    ['it says nothing', ['-'], '20ms #', none('it did not answer within 0.02 s')],
    ['it accepts only one of the lines', ['-I|', '-'], '20ms #', none('it did not answer within 0.02 s')],
    ['initialize is rejected like a session', ['-L|'], '-#', none('HTTP 404 of S: Session not found')],
    [
      'it does not know the new one either',
      ['-I|', '-L|'],
      '--#',
      'HTTP 404 of S: Session not found, in a new session too; where several servers share the address, all requests of a session must reach the same one',
    ],
  ])('errors where %s', (_, responses, expected, reason) => {
    begun(responses, expected, reason);
  });

  it('stops where nobody waits for it', () => {
    expect(begun(['--I|', '|'], '-', '', '-!')).toEqual([INIT]);
  });
});

const t = { t: true };

const session = () => 's';

const onBegun = () => {};

describe('readySession', () => {
  it(
    'is there at once where none begins',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const begin$ = cold<never>('--|');
      const ready = readySession({ session, begin$, onBegun });
      expectObservable(merge(ready(), ready('before'))).toBe('(tt|)', t);
      expectSubscriptions(begin$.subscriptions).toBe([]);
    }),
  );

  it(
    'begins for the first who lost it, for all who wait, and again for a later loss',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const begin$ = cold<never>('---|');
      const ready = readySession({ session, begin$, onBegun });
      expectObservable(hot('-------x|').pipe(switchMap(() => ready('s')))).toBe('----------(t|)', t);
      expectObservable(ready('s')).toBe('---(t|)', t);
      expectObservable(hot('-x|').pipe(switchMap(() => ready('s')))).toBe('---(t|)', t);
      expectObservable(hot('--x|').pipe(switchMap(() => ready()))).toBe('---(t|)', t);
      expectSubscriptions(begin$.subscriptions).toBe(['^--!', '-------^--!']);
    }),
  );

  it(
    'does not make those wait who ask in onBegun',
    marbles(({ cold, expectObservable, expectSubscriptions, flush }) => {
      const begin$ = cold<never>('---|');
      const order: string[] = [];
      const begun = () => ready().subscribe(() => order.push('begun'));
      const ready = readySession({ session, begin$, onBegun: begun });
      expectObservable(ready('s').pipe(switchMap(() => order.splice(0)))).toBe('---(t|)', { t: 'begun' });
      expectSubscriptions(begin$.subscriptions).toBe('^--!');
      flush();
    }),
  );

  it(
    'errors for all who wait where none begins, and tries again for the next',
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const begin$ = cold<never>('---#', {}, new Error('no'));
      const ready = readySession({ session, begin$, onBegun });
      expectObservable(ready('s')).toBe('---#', {}, new Error('no'));
      expectObservable(ready()).toBe('---#', {}, new Error('no'));
      expectObservable(hot('----x').pipe(switchMap(() => ready()))).toBe('----t', t);
      expectObservable(hot('-----x').pipe(switchMap(() => ready('s')))).toBe('--------#', {}, new Error('no'));
      expectSubscriptions(begin$.subscriptions).toBe(['^--!', '-----^--!']);
    }),
  );

  it(
    'is given up when nobody waits any more',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const begin$ = cold<never>('-----|');
      const ready = readySession({ session, begin$, onBegun });
      expectObservable(ready('s'), '-!').toBe('-');
      expectObservable(ready('s'), '--!').toBe('-');
      expectSubscriptions(begin$.subscriptions).toBe('^-!');
    }),
  );
});

const LOST = new SessionLost('s', 'HTTP 404 of S');

const R: McpEvent = { kind: 'line', line: 'R' };

const ended = (trouble: string): McpEvent => ({ kind: 'ended', trouble });

describe('sendAgain', () => {
  /** The messages that are sent, one after another, and how long a new session takes. */
  const run = (sent: string[], begin: string, expected: string, own: { first?: string; withdrawn?: string } = {}) => {
    let count = 0;
    marbles(({ cold, hot, expectObservable }) => {
      const event$ = defer((): Observable<McpEvent> => cold(sent[count++] ?? '', { R }, LOST));
      const ready = (lost?: string) => {
        expect(lost ?? 's').toBe('s');
        return cold(lost === undefined ? (own.first ?? '(t|)') : begin, { t: true as const }, new Error('none'));
      };
      const withdrawn$ = own.withdrawn === undefined ? NEVER : hot(own.withdrawn);
      const values = { R, L: ended(LOST.message), N: ended('none') };
      expectObservable(event$.pipe(sendAgain({ ready, withdrawn$ }))).toBe(expected, values);
    })();
    return count;
  };

  it('passes what comes of a message that is accepted', () => expect(run(['-R-R|'], '#', '-R-R|')).toBe(1));
  it('passes nothing of one that is only accepted', () => expect(run(['-|'], '#', '-|')).toBe(1));
  it('sends it again in a new session', () => expect(run(['-#', '-R|'], '--(t|)', '----R|')).toBe(2));
  it('ends where it is rejected twice', () => expect(run(['-#', '-#'], '-(t|)', '---(L|)')).toBe(2));
  it('ends where no session begins', () => expect(run(['-#'], '--#', '---(N|)')).toBe(1));
  it('waits for a session that begins', () => expect(run(['-R|'], '#', '----R|', { first: '---(t|)' })).toBe(1));
  it('ends where that does not begin', () => expect(run([], '', '---(N|)', { first: '---#' })).toBe(0));
  it('is not sent where it is withdrawn before', () =>
    expect(run([], '', '--|', { first: '---(t|)', withdrawn: '--w' })).toBe(0));
  it('is not sent again where it is withdrawn meanwhile', () =>
    expect(run(['-#'], '---(t|)', '--|', { withdrawn: '--w' })).toBe(1));
  it('is not stopped where it is withdrawn once it is sent', () =>
    expect(run(['-#', '---R|'], '-(t|)', '-----R|', { withdrawn: '---w' })).toBe(2));

  it(
    'stops what sends it when it is unsubscribed',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const event$ = cold<McpEvent>('-');
      const ready = () => of(true as const);
      expectObservable(event$.pipe(sendAgain({ ready, withdrawn$: NEVER })), '--!').toBe('-');
      expectSubscriptions(event$.subscriptions).toBe('^-!');
    }),
  );

  it(
    'ends with another error, and does not send again for it',
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const event$ = cold<McpEvent>('-#', {}, new Error('bug'));
      const ready = (lost?: string) => (lost === undefined ? of(true as const) : throwError(() => new Error('asked')));
      expectObservable(event$.pipe(sendAgain({ ready, withdrawn$: NEVER }))).toBe('-(E|)', { E: ended('bug') });
      expectSubscriptions(event$.subscriptions).toBe('^!');
    }),
  );
});
