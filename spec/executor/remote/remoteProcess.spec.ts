import { NEVER, of } from 'rxjs';
import type { Process } from '../../../src/executor/backend';
import { LAGGED } from '../../../src/executor/lag/recoverLag';
import type { Session } from '../../../src/executor/remote/openSession';
import { eventsOf, readPage, readRunning, readStatus, remoteProcess } from '../../../src/executor/remote/runProcess';
import type { RpcNotification } from '../../../src/protocol/rpc/messages';
import { marbles } from '../../support/marbles';
import { closed, exited, output } from '../events';

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
      expectObservable(of({ chunks: [{ stream: 'stdout', chunk: '' }] }).pipe(readPage)).toBe('#', {}, new Error(why));
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
