import { defer, NEVER, type Observable, of, throwError } from 'rxjs';
import { READ_ONLY } from '../../../src/executor/remote/execSandbox';
import { startProcess } from '../../../src/executor/remote/startProcess';
import { RpcError } from '../../../src/protocol/jsonrpc/messages';
import { marbles } from '../../support/marbles';

const spec = { argv: ['p'], cwd: '/a b', env: { A: '1' }, stdin: 'pipe' as const, grace: { inputMs: 1, termMs: 2 } };
const envPolicy = { inherit: 'all' as const, ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] };
const elsewhere = { envPolicy, sandbox: READ_ONLY };
const refuse = (message: string) => throwError(() => new RpcError(-32600, message));

/** A session whose requests are answered one after the other; the last answer stays. */
const sessionOf = (...answers: Observable<unknown>[]) => {
  const requests: unknown[] = [];
  const request = (...asked: unknown[]) =>
    defer(() => {
      requests.push(asked);
      return answers.length > 1 ? (answers.shift() as Observable<unknown>) : (answers[0] as Observable<unknown>);
    });
  return { requests, session: { request, notification$: NEVER, runInBackground: () => {} } };
};

const taken = refuse('process x already exists');
const starting = refuse('process id x is starting');

describe('startProcess', () => {
  it.each<[string, Observable<unknown>[], string, unknown]>([
    ['emits once it has started', [of({ processId: 'x' })], '(S|)', undefined],
    ['errors when it did not start', [refuse('no such file')], '#', new RpcError(-32600, 'no such file')],
    ['takes an id that exists for its own start, received before', [taken, of({})], '(S|)', undefined],
    ['waits while that is starting', [taken, starting, starting, of({})], '100ms (S|)', undefined],
    [
      'errors when it cannot be read',
      [taken, refuse('unknown process id x')],
      '#',
      new RpcError(-32600, 'unknown process id x'),
    ],
    [
      'does not wait for ever',
      [taken, starting],
      '4950ms #',
      new Error(
        'the connection to the exec-server was lost while the process started, and the server never finished starting it; run it again',
      ),
    ],
  ])('%s', (_, answers, expected, error) =>
    marbles(({ expectObservable }) => {
      const { session } = sessionOf(...answers);
      expectObservable(startProcess(session, 'x', spec)).toBe(expected, { S: expect.anything() }, error);
    })(),
  );

  it('sends the spec as the wire has it', () => {
    const { session, requests } = sessionOf(of({}));
    startProcess(session, 'x', spec).subscribe();
    expect(requests).toEqual([
      [
        'process/start',
        {
          processId: 'x',
          argv: ['p'],
          cwd: 'file:///a%20b',
          env: { A: '1' },
          tty: false,
          pipeStdin: true,
          arg0: null,
          grace: { inputMs: 1, termMs: 2 },
        },
        'repeat',
      ],
    ]);
  });

  it('sends the sandbox and the environment policy of a process that is meant for there', () => {
    const { session, requests } = sessionOf(of({}));
    startProcess(session, 'x', { ...spec, elsewhere }).subscribe();
    expect(requests).toMatchObject([['process/start', { ...elsewhere, env: { A: '1' } }, 'repeat']]);
  });

  it('ends a process that runs without the sandbox that was asked for, with an error', () => {
    const { session, requests } = sessionOf(of({ sandboxType: 'none' }), of({ running: true }));
    const seen: string[] = [];
    startProcess(session, 'x', { ...spec, elsewhere }).subscribe({ error: ({ message }) => seen.push(message) });
    expect(requests[1]).toEqual(['process/terminate', { processId: 'x' }, 'repeat']);
    expect(seen).toEqual([
      'the exec-server started the process without the sandbox that was asked for, so it was terminated',
    ]);
  });

  it.each([{ sandboxType: 'linuxSeccomp' }, {}])('takes %j for the sandbox', (result) => {
    const { session } = sessionOf(of(result));
    const seen: unknown[] = [];
    startProcess(session, 'x', { ...spec, elsewhere }).subscribe((one) => seen.push(one));
    expect(seen).toEqual([{ holdsOutput: false }]);
  });

  it.each<[string, object, object]>([
    ['what keeps the process', { keptBy: { text: 't', network: 'open' } }, { keptBy: { text: 't', network: 'open' } }],
    [
      'a long text cut',
      { keptBy: { text: 't'.repeat(2_000) } },
      { keptBy: { text: 't'.repeat(1_000), network: 'closed' } },
    ],
    ['nothing of what is none', { keptBy: { text: 5 } }, {}],
    ['that output is held back', { holdsOutput: true }, { holdsOutput: true }],
  ])('emits %s', (_, result, begun) => {
    const seen: unknown[] = [];
    startProcess(sessionOf(of(result)).session, 'x', spec).subscribe((one) => seen.push(one));
    expect(seen).toEqual([{ holdsOutput: false, ...begun }]);
  });
});
