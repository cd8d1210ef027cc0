import { type Observable, of } from 'rxjs';
import { overStdio } from '../../../src/executor/remote/overStdio';
import type { PeerEvent } from '../../../src/io/processes/fromChild';
import type { ExecMessage } from '../../../src/protocol/exec/codec';
import { marbles } from '../../support/marbles';

const output = (stream: 'stdout' | 'stderr', text: string): PeerEvent => ({
  ...{ kind: 'output', stream },
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
    'errors where the child cannot be started',
    marbles(({ cold, expectObservable }) => {
      expectObservable(over(cold('-f|', events)).message$).toBe('-#', {}, new Error('no such program'));
    }),
  );
});
