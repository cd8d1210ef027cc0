/** The connection to an exec-server is cut again and again, under load; nothing is lost, nothing comes twice. */
import {
  firstValueFrom,
  from,
  ignoreElements,
  lastValueFrom,
  mergeMap,
  type Observable,
  ReplaySubject,
  type Subscription,
  tap,
  toArray,
} from 'rxjs';
import type { Process } from '../../../src/executor/backend';
import { overWebSocket } from '../../../src/executor/remote/execTransport';
import { remoteBackend } from '../../../src/executor/remote/remoteBackend';
import { dialSocket } from '../../../src/io/sockets/dialSocket';
import type { ProcessEvent } from '../../../src/protocol/exec/process';
import { silentLog } from '../../../src/protocol/log';
import { noBackpressure } from '../../../src/streams/backpressure';
import { endExecServers, listenExecServer, openRoad } from '../../support/exec/execSocket';
import { gone, until } from '../../support/processes';

type Road = Awaited<ReturnType<typeof openRoad>>;
const server = { url: '' };
const roads: Road[] = [];
const holders: Subscription[] = [];
beforeAll(async () => {
  server.url = (await listenExecServer()).url;
});
afterAll(endExecServers);
afterEach(async () => {
  for (const holder of holders.splice(0)) holder.unsubscribe();
  await new Promise((wake) => setTimeout(wake, 20));
  for (const road of roads.splice(0)) road.close();
});

const spec = (script: string) => ({
  argv: ['/bin/sh', '-c', script],
  cwd: '/',
  env: { PATH: '/usr/bin:/bin' },
  stdin: 'pipe' as const,
});

const open = async (url = server.url) => {
  const road = await openRoad(url);
  roads.push(road);
  const dial = (text$: Observable<string>) => text$.pipe(dialSocket({ url: road.url, backpressure: noBackpressure }));
  const backend = remoteBackend({
    transport: overWebSocket({ dial, url: road.url }),
    clientName: 'spec',
    log: silentLog,
    clockMs: () => performance.now(),
    idleMs: 0,
    reconnectForMs: 30_000,
  });
  const held = new ReplaySubject<unknown>();
  holders.push(backend.start(spec('exec cat')).subscribe(held));
  await firstValueFrom(held); // there is a session, before the first cut
  return { road, backend };
};

/** The random numbers from 0 to 1 that follow from a seed. */
const dice = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/**
 * Cuts each connection 5 to 105 ms after it was made, each a little later than the one before, until it is stopped; how often it did. So a slow
 * machine, too, gets on between two cuts in the end. `enough$` emits when it has some times.
 */
const cutAtRandom = (road: Road, seed: number) => {
  const roll = dice(seed);
  const cuts = { count: 0 };
  const enough$ = new ReplaySubject<void>(1);
  let timer: NodeJS.Timeout;
  const cutLater = () => {
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        cuts.count += 1;
        if (cuts.count > 3) enough$.next();
        road.cut();
      },
      (5 + 100 * roll()) * 1.1 ** cuts.count,
    );
  };
  road.onAnswer(cutLater);
  cutLater();
  return {
    cuts,
    enough$,
    stop: () => {
      road.onAnswer(() => {});
      clearTimeout(timer);
    },
  };
};

const LINES = 15_000;
/** Its last line waits for its input. */
const COUNT = `i=1; while [ $i -lt ${LINES} ]; do echo line $i; i=$((i+1)); [ $((i % 300)) = 0 ] && sleep 0.01; done; read -r go; echo line $i`;
const textOf = (events: readonly ProcessEvent[]): string =>
  Buffer.concat(events.flatMap((event) => (event.kind === 'output' ? [event.chunk] : []))).toString();

/** Where two long texts differ first, with what follows there and how long both are. */
const firstDifference = (received: string, expected: string): object | undefined => {
  if (received === expected) return undefined;
  const at = [...received].findIndex((char, i) => char !== expected[i]);
  const from = at < 0 ? received.length : at;
  const lengths = [received.length, expected.length];
  return { from, lengths, received: received.slice(from, from + 80), expected: expected.slice(from, from + 80) };
};

/** Runs a process to its end; `use` is given what can be done with it. */
const run = (
  start$: ReturnType<ReturnType<typeof remoteBackend>['start']>,
  use: (process: Process) => void = () => {},
) =>
  lastValueFrom(
    start$.pipe(
      mergeMap((event) => {
        if (event.kind !== 'started') return [event];
        use(event.process);
        return [];
      }),
      toArray(),
    ),
  );

describe('a connection that is cut at random', () => {
  it.each([1, 2])('loses no output and doubles none (seed %i)', async (seed) => {
    const { road, backend } = await open();
    const { enough$, stop } = cutAtRandom(road, seed);
    const goOn = (process: Process) =>
      enough$
        .pipe(
          mergeMap(() => process.write(Buffer.from('\n'))),
          ignoreElements(),
        )
        .subscribe({ error: () => {} });
    const all = await Promise.all([1, 2, 3].map(() => run(backend.start(spec(COUNT)), goOn)));
    stop();
    const lines = Array.from({ length: LINES }, (_, i) => `line ${i + 1}\n`).join('');
    for (const events of all) {
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
      expect(firstDifference(textOf(events), lines)).toBeUndefined();
      const kinds = events.map(({ kind }) => kind); // output may come after exited, nothing after closed
      expect([kinds.at(-1), kinds.filter((kind) => kind === 'exited').length]).toEqual(['closed', 1]);
    }
  });

  it.each([3, 4])('loses no input and doubles none (seed %i)', async (seed) => {
    const { road, backend } = await open();
    const { cuts, stop } = cutAtRandom(road, seed);
    const chunks = Array.from({ length: 600 }, (_, i) => `${i}:${'x'.repeat(i)}\n`);
    const statuses: unknown[] = [];
    const size = chunks.join('').length;
    const events = await run(backend.start(spec(`exec head -c ${size}`)), (process) => {
      from(chunks)
        .pipe(
          mergeMap((chunk) => process.write(Buffer.from(chunk)), 8),
          toArray(),
        )
        .subscribe((written) => statuses.push(...written));
    });
    await until(() => statuses.length > 0, 'the answers to all writes');
    stop();
    expect(statuses).toEqual(chunks.map(() => 'accepted'));
    expect(textOf(events) === chunks.join('')).toBe(true);
    expect(cuts.count).toBeGreaterThan(0);
  });

  it('ends the processes of a session that nobody resumes in time, and reports it', async () => {
    const { url } = await listenExecServer('--session-grace-s', '0.05');
    const { road, backend } = await open(url);
    const pids: number[] = [];
    const life = run(
      backend.start(spec('echo $$; exec sleep 300')).pipe(
        tap((event) => {
          if (event.kind !== 'output') return;
          pids.push(Number(textOf([event])));
          road.block();
          void gone(pids).then(road.unblock);
        }),
      ),
    );
    expect((await life).at(-1)).toEqual({
      kind: 'failed',
      seq: 2,
      reason: expect.stringMatching(/^the session is lost: unknown session id /),
    });
    await gone(pids);
  });
});
