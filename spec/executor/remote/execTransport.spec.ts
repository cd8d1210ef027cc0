import { map, NEVER, type Observable, of, throwError } from 'rxjs';
import { overStdio, overWebSocket } from '../../../src/executor/remote/execTransport';
import type { PeerEvent } from '../../../src/io/processes/fromChild';
import type { ExecMessage } from '../../../src/protocol/exec/codec';
import { marbles } from '../../support/marbles';

const output = (stream: 'stdout' | 'stderr', text: string): PeerEvent => ({
  kind: 'output',
  stream,
  chunk: Buffer.from(text),
});

const events: Record<string, PeerEvent> = {
  a: output('stdout', '{"id":1,"result":'),
  b: output('stdout', '1}\n \n{"id":2,"result":2}\n'),
  e: output('stderr', 'a remark\n'),
  f: { kind: 'failed', reason: 'no such program' },
  x: { kind: 'exited', exitCode: 255 },
};
const responses: Record<string, ExecMessage> = {
  A: { kind: 'response', id: 1, result: 1 },
  B: { kind: 'response', id: 2, result: 2 },
};
const request = { kind: 'request' as const, id: 1, method: 'm', params: {} };

const LOST = 'the connection to the exec-server was lost: p ended with exit code';

const over = (event$: Observable<PeerEvent>) => {
  const lines: string[] = [];
  const log = jest.fn();
  const peer = (line$: Observable<string>) => {
    line$.subscribe((line) => lines.push(line)); // what a child would get
    return event$;
  };
  return {
    lines,
    log,
    message$: of(request).pipe(overStdio({ peer, log, program: 'p', env: { P_TOKEN: 'sesame-open' } })),
  };
};

describe('overStdio', () => {
  it('writes messages as lines, and reads those of stdout, however they are cut; blank lines are none', () => {
    let lines: string[] = [];
    marbles(({ cold, expectObservable, flush }) => {
      const { message$, ...own } = over(cold('-a-b-x-|', events));
      expectObservable(message$).toBe('---(AB)#', responses, new Error(`${LOST} 255.`));
      flush();
      lines = own.lines;
    })();
    expect(lines).toEqual(['{"id":1,"method":"m","params":{}}']);
  });

  it('logs what comes on stderr; the error of its end has it', () => {
    let log: jest.Mock | undefined;
    marbles(({ cold, expectObservable, flush }) => {
      const { message$, ...own } = over(cold('-ex|', events));
      expectObservable(message$).toBe('---#', {}, new Error(`${LOST} 255.\na remark`));
      flush();
      log = own.log;
    })();
    expect(log?.mock.calls).toEqual([['info', expect.any(String), { program: 'p', line: 'a remark' }]]);
  });

  it(
    'has no secret of the variables in its error',
    marbles(({ cold, expectObservable }) => {
      const { message$ } = over(cold('-sx|', { ...events, s: output('stderr', 'denied: sesame-open') }));
      expectObservable(message$).toBe('---#', {}, new Error(`${LOST} 255.\ndenied: [redacted]`));
    }),
  );

  it(
    'errors if the child cannot be started',
    marbles(({ cold, expectObservable }) => {
      expectObservable(over(cold('-f|', events)).message$).toBe('-#', {}, new Error('no such program'));
    }),
  );
});

describe('overWebSocket', () => {
  it(
    'sends each message as one text, and reads those that come',
    marbles(({ cold, expectObservable }) => {
      const dial = (text$: Observable<string>) =>
        text$.pipe(map((text) => text.replace('"method":"m","params":{}', '"result":1')));
      const out$ = cold('a-|', { a: { kind: 'request' as const, id: 1, method: 'm', params: {} } });
      expectObservable(out$.pipe(overWebSocket({ dial, url: 'ws://h:1' }))).toBe('A-|', {
        A: { kind: 'response', id: 1, result: 1 },
      });
    }),
  );

  it(
    'errors with its socket',
    marbles(({ expectObservable }) => {
      const dial = () => throwError(() => 'refused');
      expectObservable(NEVER.pipe(overWebSocket({ dial, url: 'ws://h:1' }))).toBe('#', {}, 'refused');
    }),
  );

  it.each<[string, Error, string, string, string?]>([
    [
      'where nobody listens',
      Object.assign(new Error('ws://h:1: connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
      'NotListening',
      'ws://h:1: connect ECONNREFUSED: nobody listens there; on that machine start codex-rx exec-server --listen ws://h:1',
    ],
    [
      'where the token is not the one',
      new Error('ws://h:1: Unexpected server response: 401'),
      'Error',
      'ws://h:1: Unexpected server response: 401: it expects another token; name the variable that has it in bearer_token_env_var of the environment',
    ],
    [
      'without the login and the query of the address',
      Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
      'NotListening',
      'refused: nobody listens there; on that machine start codex-rx exec-server --listen ws://[redacted]@h:1/?token=[redacted]',
      'ws://user:pass@h:1/?token=t',
    ],
    ['of anything else as it is', new Error('ws://h:1: socket hang up'), 'Error', 'ws://h:1: socket hang up'],
  ])('names the remedy %s', (_, error, name, message, url = 'ws://h:1') => {
    const seen: Error[] = [];
    NEVER.pipe(overWebSocket({ dial: () => throwError(() => error), url })).subscribe({
      error: (one) => seen.push(one),
    });
    expect(seen).toMatchObject([{ name, message }]);
  });
});
