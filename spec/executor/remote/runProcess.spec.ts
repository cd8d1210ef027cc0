import { defer, identity, NEVER, type Observable, of, throwError } from 'rxjs';
import type { Process, Started } from '../../../src/executor/backend';
import { LAGGED } from '../../../src/executor/lag/recoverLag';
import type { Session } from '../../../src/executor/remote/openSession';
import {
  eventsOf,
  readPage,
  readRunning,
  readStatus,
  remoteProcess,
  runProcess,
} from '../../../src/executor/remote/runProcess';
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

describe('remoteProcess', () => {
  /** A process whose requests are listed, and answered with `result`. */
  const processWith = (result: unknown, holds = true) => {
    const requests: unknown[] = [];
    const session: Session = {
      notification$: NEVER,
      request: (...request) => {
        requests.push(request);
        return of(result);
      },
      runInBackground: () => {},
    };
    return { requests, process: remoteProcess(session, 'p', of(holds)) };
  };
  const page = { chunks: [], nextSeq: 1, exited: false, exitCode: null, closed: false, failure: null };
  type Act = (process: Process) => ReturnType<Process[keyof Process]>;

  describe('remoteProcess', () => {
    it.each<[string, Act, unknown, unknown, unknown[]]>([
      [
        'reads',
        (process) => process.read({ afterSeq: 3, waitMs: 5 }),
        page,
        page,
        ['process/read', { processId: 'p', afterSeq: 3, waitMs: 5 }, 'repeat'],
      ],
      [
        'closes the input',
        (process) => process.closeStdin(),
        { status: 'accepted' },
        'accepted',
        ['process/closeStdin', { processId: 'p' }, 'repeat'],
      ],
      [
        'signals',
        (process) => process.signal('interrupt'),
        {},
        undefined,
        ['process/signal', { processId: 'p', signal: 'interrupt' }, 'fail'],
      ],
      [
        'terminates',
        (process) => process.terminate(),
        { running: true },
        true,
        ['process/terminate', { processId: 'p' }, 'repeat'],
      ],
    ])('%s', (_, act, result, emitted, request) =>
      marbles(({ expectObservable, flush }) => {
        const { process, requests } = processWith(result);
        expectObservable<unknown>(act(process)).toBe('(r|)', { r: emitted });
        flush();
        expect(requests).toEqual([request]);
      })(),
    );

    it.each([
      [true, [['process/acknowledge', { processId: 'p', seq: 7 }, 'repeat']]],
      [false, []],
    ])('acknowledges if the server waits for that: %j', (holds, expected) =>
      marbles(({ expectObservable, flush }) => {
        const { process, requests } = processWith({}, holds);
        expectObservable(process.acknowledge(7)).toBe('(r|)', { r: undefined });
        flush();
        expect(requests).toEqual(expected);
      })(),
    );

    it(
      'writes when it is subscribed, each write with an id of its own',
      marbles(({ expectObservable, flush }) => {
        const { process, requests } = processWith({ status: 'accepted' });
        const write$ = process.write(Buffer.from('a'));
        expectObservable(process.write(Buffer.from('b'))).toBe('(r|)', { r: 'accepted' });
        expectObservable(write$).toBe('(r|)', { r: 'accepted' });
        flush();
        const params = (chunk: string, writeId: unknown) => ({ processId: 'p', chunk, writeId });
        const [first, second] = requests as [unknown, { writeId: string }][];
        expect(requests).toEqual([
          ['process/write', params('Yg==', expect.stringMatching(/^\d+$/)), 'repeatIfKnown'],
          ['process/write', params('YQ==', expect.stringMatching(/^\d+$/)), 'repeatIfKnown'],
        ]);
        expect(first).not.toEqual([expect.anything(), expect.objectContaining({ writeId: second?.[1].writeId })]);
      }),
    );
  });

  const note = (method: string, params: unknown): RpcNotification => ({ kind: 'notification', method, params });
  const own = (method: string, params: object) => note(`process/${method}`, { processId: 'p', ...params });
  const notes = {
    o: own('output', { seq: 1, stream: 'pty', chunk: 'YQ==' }),
    x: own('exited', { seq: 2, exitCode: 3, sandboxDenied: false }),
    z: own('closed', { seq: 3 }),
    u: own('paused', { seq: 4 }),
    e: note('process/output', { processId: 'other', seq: 1, stream: 'stdout', chunk: '' }),
    n: note('process/output', null),
    b: own('output', { seq: '1', stream: 'stdout', chunk: '' }),
    L: LAGGED,
  };
  const events = { O: output(1, 'a', 'pty'), X: exited(2, 3), Z: closed(3), L: LAGGED };

  describe('eventsOf', () => {
    it('emits the events of its process, and lagged; logs what cannot be read', () => {
      const records: unknown[] = [];
      marbles(({ cold, expectObservable }) => {
        const source = '  oxzuenbL-|';
        const expected = 'OXZ----L-|';
        const log = (...record: unknown[]) => void records.push(record);
        expectObservable(cold(source, notes).pipe(eventsOf('p', log))).toBe(expected, events);
      })();
      const why = 'Invalid params: params.seq must be a number, not a string';
      expect(records).toEqual([
        ['warning', 'a notification of the exec-server cannot be read', { method: 'process/output', why }],
      ]);
    });

    it.each([
      ['never', '---', '---'],
      ['empty', '--|', '--|'],
      ['error', '-o#', '-O#'],
    ])('follows its source: %s', (_, source, expected) =>
      marbles(({ cold, expectObservable }) => {
        expectObservable(cold(source, notes).pipe(eventsOf('p', () => {}))).toBe(expected, events);
      })(),
    );
  });

  const empty = { chunks: [], nextSeq: 0, exited: false, exitCode: null, closed: false, failure: null };

  describe('readPage', () => {
    it.each<[string, unknown, unknown]>([
      ['has a default for what is left out', {}, empty],
      [
        'reads chunks as bytes',
        { chunks: [{ seq: 2, stream: 'stderr', chunk: 'YQ==' }], nextSeq: 3, sandboxDenied: false },
        { ...empty, chunks: [{ seq: 2, stream: 'stderr', chunk: Buffer.from('a') }], nextSeq: 3 },
      ],
      [
        'reads what was evicted, where both numbers are there',
        { evictedThrough: 4, evictedBytes: 9 },
        { ...empty, evicted: { throughSeq: 4, bytes: 9 } },
      ],
      ['reads nothing of one number alone', { evictedThrough: 4 }, empty],
    ])('%s', (_, result, page) =>
      marbles(({ expectObservable }) => {
        expectObservable(of(result).pipe(readPage)).toBe('(P|)', { P: page });
      })(),
    );

    it('errors for a page of another shape, with the path', () =>
      marbles(({ expectObservable }) => {
        const why = "the exec-server's result of process/read cannot be read: result.chunks.0.seq is missing";
        expectObservable(of({ chunks: [{ stream: 'stdout', chunk: '' }] }).pipe(readPage)).toBe(
          '#',
          {},
          new Error(why),
        );
      })());
  });

  describe('readStatus and readRunning', () => {
    it('read the status of a write, and whether a process still ran', () =>
      marbles(({ expectObservable }) => {
        expectObservable(of({ status: 'stdinClosed' }).pipe(readStatus('process/write'))).toBe('(S|)', {
          S: 'stdinClosed',
        });
        expectObservable(of({ running: true }).pipe(readRunning)).toBe('(S|)', { S: true });
        expectObservable(of({}).pipe(readRunning)).toBe('(S|)', { S: false });
      })());

    it('errors for a status that is not known', () =>
      marbles(({ expectObservable }) => {
        const why = /^the exec-server's result of process\/write cannot be read: result.status must be /;
        const error = expect.objectContaining({ message: expect.stringMatching(why) });
        expectObservable(of({ status: 'perhaps' }).pipe(readStatus('process/write'))).toBe('#', {}, error);
      })());
  });
});
