import { defer, identity, NEVER, type Observable, of, throwError } from 'rxjs';
import type { Started } from '../../../src/executor/backend';
import { LAGGED } from '../../../src/executor/lag/recoverLag';
import type { Session } from '../../../src/executor/remote/openSession';
import { runProcess } from '../../../src/executor/remote/runProcess';
import type { ProcessEvent } from '../../../src/protocol/exec/process';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import type { RpcNotification } from '../../../src/protocol/rpc/messages';
import { marbles } from '../../support/marbles';
import { closed, exited, failed, output } from '../events';

const spec = { argv: ['p'], cwd: '/', env: {} };
const note = (method: string, params: object): RpcNotification => ({
  kind: 'notification',
  method: `process/${method}`,
  params: { processId: 'x', ...params },
});
const notes = {
  o: note('output', { seq: 1, stream: 'stdout', chunk: 'MQ==' }),
  x: note('exited', { seq: 2, exitCode: 0 }),
  z: note('closed', { seq: 3 }),
};
const events: Record<string, Started | ProcessEvent> = {
  S: { kind: 'started', process: expect.anything() },
  O: output(1),
  X: exited(2),
  Z: closed(3),
  F: failed(1, 'no such file'),
  D: failed(1, 'p: no such file'),
  L: failed(2, 'lost'),
};

/** A session with these notifications, whose start is answered by `result$`; `background` grows with the requests nobody waits for. */
const sessionOf = (notification$: Observable<RpcNotification>, result$: Observable<unknown>) => {
  const background: unknown[] = [];
  const session: Session = {
    notification$,
    request: (method, params) => {
      if (method === 'process/start') return result$;
      return defer(() => {
        background.push([method, params]);
        return method === 'process/terminate' ? of({ running: true }) : NEVER;
      });
    },
    runInBackground: (task$) => void task$.subscribe(),
  };
  return { background, deps: { session, processId: 'x', whileEnding: identity, log: () => {} } };
};
const TERMINATE = ['process/terminate', { processId: 'x' }];

describe('runProcess', () => {
  it.each<[string, string, string, string, unknown[], unknown]>([
    ['emits started first, whenever the result comes', '-o-----x-z', '---R', '---(SO)X-(Z|)', [], undefined],
    ['emits its events in order of seq', '--xo----z', '-R', '-S-(OX)-(Z|)', [], undefined],
    ['fails when it did not start', '-----', '--#', '--(F|)', [TERMINATE], new RpcError(-1, 'no such file')],
    [
      'fails with the reason that our own server gives',
      '-----',
      '--#',
      '--(D|)',
      [TERMINATE],
      new RpcError(-1, 'no such file', { reason: 'p: no such file' }),
    ],
    ['fails when its session is lost', '--o--#', '-R', '-SO--(L|)', [TERMINATE], new Error('lost')],
  ])('%s', (_, notifications, result, expected, terminated, error) => {
    const made: unknown[][] = [];
    marbles(({ hot, cold, expectObservable }) => {
      const { deps, background } = sessionOf(hot(notifications, notes, error), cold(result, undefined, error));
      made.push(background);
      expectObservable(runProcess(deps, spec)).toBe(expected, events);
    })();
    expect(made).toEqual([terminated]);
  });

  it('terminates a process whose output cannot be read while its session lives', () => {
    const made: unknown[][] = [];
    marbles(({ hot, cold, expectObservable }) => {
      const { deps, background } = sessionOf(hot('--o-x-', notes), cold('-R'));
      made.push(background);
      const request: Session['request'] = (method, params, onLoss) =>
        method === 'process/read'
          ? throwError(() => new Error('no page'))
          : deps.session.request(method, params, onLoss);
      const skipsOne = { ...notes, x: note('exited', { seq: 3, exitCode: 0 }) };
      const session = { ...deps.session, request, notification$: hot('--oLx-', { ...skipsOne, L: LAGGED as never }) };
      const F = failed(2, 'missed output could not be read: no page');
      expectObservable(runProcess({ ...deps, session }, spec)).toBe('-SO(F|)', { ...events, F });
    })();
    expect(made).toEqual([[TERMINATE]]);
  });

  it('terminates the process when it is unsubscribed', () => {
    const made: unknown[][] = [];
    marbles(({ hot, cold, expectObservable }) => {
      const { deps, background } = sessionOf(hot('--o---', notes), cold('-R'));
      made.push(background);
      expectObservable(runProcess(deps, spec), '----!').toBe('-SO', events);
    })();
    expect(made).toEqual([[TERMINATE]]);
  });

  it('waits for the end of a process that has time to end by itself', () => {
    const made: unknown[][] = [];
    marbles(({ hot, cold, expectObservable }) => {
      const { deps, background } = sessionOf(hot('--o---', notes), cold('-R'));
      made.push(background);
      const grace = { inputMs: 300, termMs: 20 };
      expectObservable(runProcess(deps, { ...spec, grace }), '----!').toBe('-SO', events);
    })();
    const read = ['process/read', { processId: 'x', afterSeq: Number.MAX_SAFE_INTEGER, waitMs: 320 }];
    expect(made).toEqual([[TERMINATE, read]]);
  });

  it('reads a process whose events are stored from there, held back until they are acknowledged', () => {
    const requests: unknown[][] = [];
    marbles(({ hot, cold, expectObservable, flush }) => {
      const { deps, background } = sessionOf(NEVER, cold('-R', { R: { holdsOutput: true } }));
      const request: Session['request'] = (method, params, onLoss) => {
        if (method === 'process/start') requests.push([method, params.holdOutput]);
        return deps.session.request(method, params, onLoss);
      };
      const stored$ = hot('--oxz', { o: output(1), x: exited(2), z: closed(3) });
      const session = { ...deps.session, request, storedEventsOf: () => stored$ };
      expectObservable(runProcess({ ...deps, session }, spec)).toBe('-SOX(Z|)', events);
      flush();
      requests.push(...(background as unknown[][]));
    })();
    expect(requests).toEqual([
      ['process/start', true],
      ['process/acknowledge', { processId: 'x', seq: 3 }],
    ]);
  });

  it(
    'numbers the failure of a process whose events are stored behind the last of them',
    marbles(({ hot, cold, expectObservable }) => {
      const { deps } = sessionOf(NEVER, cold('-(R|)', { R: {} }));
      const stored$ = hot('--o-#', { o: output(1) }, new Error('lost'));
      const session = { ...deps.session, storedEventsOf: () => stored$ };
      expectObservable(runProcess({ ...deps, session }, spec)).toBe('-SO-(L|)', events);
    }),
  );
});
