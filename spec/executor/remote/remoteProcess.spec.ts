import { NEVER, of } from 'rxjs';
import type { Process } from '../../../src/executor/backend';
import type { Session } from '../../../src/executor/remote/openSession';
import { remoteProcess } from '../../../src/executor/remote/runProcess';
import { marbles } from '../../support/marbles';

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
  ])('acknowledges where the server waits for that: %j', (holds, expected) =>
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
