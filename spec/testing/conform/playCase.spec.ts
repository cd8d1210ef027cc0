/** One case against a server: what counts, what does not, what is wrong with it. */
import {
  asyncScheduler,
  concatMap,
  defer,
  EMPTY,
  interval,
  lastValueFrom,
  type MonoTypeOperatorFunction,
  map,
  merge,
  NEVER,
  of,
  takeWhile,
  throwError,
} from 'rxjs';
import { notification } from '../../../src/testing';
import { signal } from '../../../src/testing/conform/caseServer';
import { CASES } from '../../../src/testing/conform/caseTable';
import type { ConformCase, Given, Observed, Offer } from '../../../src/testing/conform/conformCase';
import { failure, isErrorWithoutId, response } from '../../../src/testing/conform/expecting';
import { learnAgent, learnOffer } from '../../../src/testing/conform/learnOffer';
import { messagesOf } from '../../../src/testing/conform/observed';
import { type CaseDeps, playCase, remindUntil } from '../../../src/testing/conform/playCase';
import { toGiven } from '../../../src/testing/conform/speaking';
import { marbles } from '../../support/marbles';
import { serverOf } from './servers';

const say = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
const offer: Offer = { name: 'x', revisions: ['2025-11-25'], capabilities: {}, startMs: 1 };
const depsOf = (server: CaseDeps['server']): CaseDeps => ({ server, limitMs: 100, settleMs: 10, now: () => 0 });

const one = (more: Partial<ConformCase>): ConformCase => ({
  id: 'one',
  level: 'MUST',
  revisions: ['2025-11-25'],
  section: 'basic',
  sentence: 'A sentence.',
  client: 'p-',
  server: '-P',
  ...more,
});

const play = (more: Partial<ConformCase>, server = serverOf()) =>
  lastValueFrom(playCase(depsOf(server), one(more), toGiven(offer, '2025-11-25')));

const answerTo = (line: string) => ({ kind: 'line' as const, line: say({ id: JSON.parse(line).id, result: {} }) });
const endsNever: MonoTypeOperatorFunction<ReturnType<typeof answerTo>> = (event$) => merge(event$, NEVER);

/** A server that sends these lines before each response to a ping. */
const withAsides = (...asides: string[]) =>
  serverOf((good) => (line) => [...(line.includes('"ping"') ? asides : []), ...good(line)]);

describe('a case', () => {
  it('passes if its rows are played', async () => {
    expect(await play({})).toMatchObject({ faults: [], drawing: '' });
  });

  it('fails with what is wrong and a drawing, if they are not', async () => {
    const values = ({ request }: Given) => ({ a: request('tools/list', {}), A: failure('a', [-32601]) });
    const { faults, drawing } = await play({ client: 'ap-', server: '--(AP)', values });
    expect(faults).toEqual([expect.stringMatching(/^A: an error is due, but it is the result \{"tools"/)]);
    expect(drawing).toContain('  expected  -I---(AP)');
  });

  it('fails if the server is silent', async () => {
    expect(
      await play({ values: ({ probe }) => ({ p: probe(), q: notification('x') }), client: 'q-p-', server: '-P--' }),
    ).toMatchObject({
      faults: expect.arrayContaining([expect.stringContaining('silent for 100 ms')]),
    });
  });

  it('leaves out notifications, answers requests, and takes no response to nobody for its own', async () => {
    const played = await play(
      {},
      withAsides(
        say({ method: 'notifications/message', params: {} }),
        say({ id: 'r', method: 'roots/list' }),
        say({ id: 'nobody', result: {} }),
        'no JSON',
      ),
    );
    expect(played.faults).toEqual([]);
    expect(messagesOf(played.observed, 'in').at(-1)).toEqual({ jsonrpc: '2.0', id: 'r', result: { roots: [] } });
  });

  it('does not leave out an error that belongs to no request', async () => {
    const error = say({ id: null, error: { code: -32600, message: 'x' } });
    expect(await play({}, withAsides(error))).toMatchObject({ faults: ['the server sends something else'] });
    expect(await play({ may: isErrorWithoutId }, withAsides(error))).toMatchObject({ faults: [] });
  });

  it('has a judge of all that was observed', async () => {
    const judge: ConformCase['judge'] = ({ lines }) => `${lines.length} lines`;
    expect((await play({ judge })).faults).toEqual(['6 lines']);
  });

  it('waits for responses in any order, before it ends the input of the server', async () => {
    const hundred = CASES.find(({ id }) => id === 'pipelined-100') as ConformCase;
    const slow = serverOf((good) => {
      let open: string[] = [];
      return (line) => {
        if (line.includes('"many-')) open = [...open, ...good(line)];
        return line.includes('again') ? [...open, ...good(line)] : line.includes('"many-') ? [] : good(line);
      };
    });
    const playFor = (limitMs: number, server: CaseDeps['server']) =>
      lastValueFrom(playCase({ ...depsOf(server), limitMs }, hundred, toGiven(offer, '2025-11-25')));
    expect((await playFor(10_000, slow)).faults).toEqual([]);
    const lossy = serverOf((good) => (line) => (line.includes('"many-7"') ? [] : good(line)));
    expect((await playFor(400, lossy)).faults).toEqual([
      'the server was silent for 400 ms',
      '1 of 100 requests have no response, the first of them many-7',
    ]);
  });

  it('sends signals, and takes another exit code for an end if it may end anyhow', async () => {
    const killed: CaseDeps['server'] = (signal$) => (line$) =>
      merge(
        line$.pipe(
          concatMap((line) => (line.includes('"id"') ? of(answerTo(line)) : EMPTY)),
          endsNever,
        ),
        signal$.pipe(
          map((name) => ({ kind: 'ended' as const, trouble: `ended by ${name}`, exitCode: 143, signal: name })),
        ),
      ).pipe(takeWhile(({ kind }) => kind !== 'ended', true));
    const rows = { client: 'p-s-', server: '-P-|', values: () => ({ s: signal('SIGTERM') }) };
    expect(await play({ ...rows, ending: 'anyhow' }, killed)).toMatchObject({ faults: [] });
    expect(await play(rows, killed)).toMatchObject({ faults: ['ended by SIGTERM'] });
  });

  it('names what a server wrote on stderr that ended too soon, and nothing if it ended as it must', async () => {
    const gone: CaseDeps['server'] = () => () =>
      of(
        { kind: 'log' as const, line: 'Error: port 3333 is in use' },
        { kind: 'log' as const, line: '    at listen (file:///a.js:1:2)' },
        { kind: 'ended' as const, trouble: 'it ended', exitCode: 1 },
      );
    expect((await play({}, gone)).faults).toEqual([
      'it ended',
      'stderr: Error: port 3333 is in use',
      'the client did not get to send i, n, p',
    ]);
    const talking = serverOf();
    const logging: CaseDeps['server'] = (signal$) => (line$) =>
      merge(of({ kind: 'log' as const, line: 'Listening' }), talking(signal$)(line$));
    expect((await play({}, logging)).faults).toEqual([]);
  });

  it('fails if what the server sends cannot be read, whoever reads it', async () => {
    const unreadable = withAsides();
    const text = (value: unknown): undefined => void String(Object(value).odd);
    const odd = serverOf(
      (good) => (line) =>
        line.includes('"ping"') ? [say({ id: JSON.parse(line).id, result: {}, odd: { toString: 1 } })] : good(line),
    );
    const values = ({ request }: Given) => ({ p: request('ping', {}), P: response('p', text) });
    expect(await play({ values }, unreadable)).toMatchObject({ faults: [] });
    expect(await play({ values }, odd)).toMatchObject({
      faults: ['P: it cannot be read: Cannot convert object to primitive value'],
    });
    const judge = (observed: Observed) => messagesOf(observed, 'out').map(text)[0];
    expect(await play({ judge }, odd)).toMatchObject({
      faults: ['it cannot be read: Cannot convert object to primitive value'],
    });
  });

  it('fails if the server fails in this process', async () => {
    expect(await play({}, () => () => throwError(() => new Error('broken')))).toMatchObject({
      faults: expect.arrayContaining([expect.stringContaining('broken')]),
    });
  });
});

describe('learnOffer', () => {
  const learn = (server: CaseDeps['server']) => lastValueFrom(learnOffer(depsOf(server)));

  it('asks for each revision', async () => {
    expect(await learn(serverOf())).toMatchObject({
      name: 'example 1.0.0',
      revisions: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
      capabilities: { '2025-11-25': { tools: {} } },
    });
  });

  it('asks a server only once that sends lines, but no response, and names what it sends', async () => {
    let starts = 0;
    const talks: CaseDeps['server'] = () => () =>
      defer(() => {
        starts += 1;
        return interval(20).pipe(map(() => ({ kind: 'line' as const, line: 'Ready' })));
      });
    await expect(learn(talks)).rejects.toThrow(
      /does not respond: to initialize with 2025-11-25 it sent "Ready", which is no JSON-RPC, and \d+ lines more$/,
    );
    expect(starts).toBe(1);
    await expect(lastValueFrom(learnAgent(depsOf(talks), { folder: '/', prompts: [] }))).rejects.toThrow(
      /does not speak ACP: .* "Ready"/,
    );
  });

  it('names a line that the server does not end', async () => {
    const silent = { ...depsOf(() => () => NEVER), rest: () => '{"id":0}' };
    await expect(lastValueFrom(learnOffer(silent))).rejects.toThrow('it sent "{\\"id\\":0}" without a line end');
  });

  it('refuses a program that speaks no revision, with what it did', async () => {
    const gone = () => () =>
      of({ kind: 'log' as const, line: 'no such file' }, { kind: 'ended' as const, trouble: 'x', exitCode: 1 });
    await expect(learn(gone)).rejects.toThrow('it sent nothing; it ended with exit code 1; stderr: no such file');
    await expect(
      learn(() => () => of({ kind: 'ended' as const, trouble: 'the server could not be started: ENOENT' })),
    ).rejects.toThrow('the server could not be started: ENOENT');
  });
});

describe('remindUntil', () => {
  it.each([
    ['emits', '        -------a--|', [3, 5]],
    ['emits at once', 'a---------|', []],
    ['is empty', '     ------|', [3, 5]],
    ['fails', '        ----#', [3]],
  ])('reminds until the source %s', (_, source, expected) =>
    marbles(({ cold, expectObservable, flush }) => {
      const at: number[] = [];
      const remind = () => void at.push(asyncScheduler.now());
      expectObservable(cold(source.trim()).pipe(remindUntil({ firstMs: 3, everyMs: 2 }, remind))).toBe(source.trim());
      flush();
      expect(at).toEqual(expected);
    })(),
  );

  it(
    'reminds of a source that never emits, until nobody listens',
    marbles(({ cold, expectObservable, flush }) => {
      let count = 0;
      const source$ = cold('-').pipe(remindUntil({ firstMs: 3, everyMs: 2 }, () => (count += 1)));
      expectObservable(source$, '------!').toBe('-');
      flush();
      expect(count).toBe(2);
    }),
  );
});
