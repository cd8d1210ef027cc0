/** What executors behind NATS keep when something fails for long, and when there is much of it: real servers, some of them a cluster. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { defer, filter, lastValueFrom, type Observable, ReplaySubject, share, timer, toArray } from 'rxjs';
import type { Backend, Started } from '../../../src/executor/backend';
import { natsBackend } from '../../../src/fleet/backend/executorsInFleet';
import { poolBackend } from '../../../src/fleet/backend/poolBackend';
import { connectNats } from '../../../src/fleet/link/connectNats';
import type { NatsLink } from '../../../src/fleet/link/natsLink';
import type { ProcessEvent } from '../../../src/protocol/exec/process';
import { silentLog } from '../../../src/protocol/log';
import { NATS_DEFAULTS } from '../../../src/settings/readNats';
import { noBackpressure } from '../../../src/streams/backpressure';
import { openStallingRoad, type StallingRoad } from '../../support/exec/stallingRoad';
import { endExecutors, startExecutor } from '../../support/nats/natsExecutor';
import { endNatsServers, startNats, startNatsCluster } from '../../support/nats/natsServer';
import { needs } from '../../support/needs/needs';
import { until } from '../../support/processes';

const { describe } = needs('nats-server');

const roads: StallingRoad[] = [];
afterEach(async () => {
  await endExecutors();
  for (const road of roads.splice(0)) road.close();
  await endNatsServers();
});

const CUT_MS = 20_000;

const linkTo = (address: string): Observable<NatsLink> =>
  defer(() => connectNats({ address, settings: NATS_DEFAULTS, log: silentLog })).pipe(
    share({ connector: () => new ReplaySubject<NatsLink>(1), resetOnRefCountZero: () => timer(500) }),
  );
const backendAt = (link$: Observable<NatsLink>, executor: string): Backend =>
  natsBackend({
    link$,
    executor,
    newId: randomUUID,
    clientName: 'spec',
    backpressure: noBackpressure,
    log: silentLog,
    idleMs: 10,
    clockMs: () => performance.now(),
  });
const sh = (text: string) => ({ argv: ['/bin/sh', '-c', text], cwd: '/', env: { PATH: '/usr/bin:/bin' } });
const isEvent = (one: Started | ProcessEvent): one is ProcessEvent => one.kind !== 'started';
const textOf = (events: readonly ProcessEvent[]) =>
  Buffer.concat(events.flatMap((event) => (event.kind === 'output' ? [event.chunk] : []))).toString();

/** A process that counts on to `count`, one line each 10 ms; its events as they come. */
const counting = (backend: Backend, count: number) => {
  const event$ = new ReplaySubject<ProcessEvent>();
  const events: ProcessEvent[] = [];
  event$.subscribe((event) => events.push(event));
  const script = `i=0; while [ $i -lt ${count} ]; do echo $i; sleep 0.01; i=$((i+1)); done`;
  backend.start(sh(script)).pipe(filter(isEvent)).subscribe(event$);
  const over = lastValueFrom(event$.pipe(toArray()));
  return { events, over };
};

/** Every number once, in order, and nothing else. */
const expectWhole = (events: readonly ProcessEvent[], count: number): void => {
  expect(events.filter(({ kind }) => kind === 'gap' || kind === 'failed')).toEqual([]);
  expect(textOf(events)).toBe(Array.from({ length: count }, (_, i) => `${i}\n`).join(''));
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
};

describe('a network that is cut for 20 s', () => {
  it.each(['the client', 'the executor'])(
    'loses no output if it is that of %s',
    async (who) => {
      const { address } = await startNats();
      const road = await openStallingRoad(address.replace('nats:', 'http:'));
      roads.push(road);
      await startExecutor(who === 'the executor' ? road.address : address, 'build-1');
      const { events, over } = counting(
        backendAt(linkTo(who === 'the client' ? road.address : address), 'build-1'),
        1_500,
      );
      await until(() => events.length > 50, 'some output');
      road.stall();
      await new Promise((wake) => setTimeout(wake, CUT_MS));
      const before = events.length;
      road.go();
      expectWhole(await over, 1_500);
      expect(before).toBeLessThan(1_400);
    },
    90_000,
  );
});

describe('a cluster of three', () => {
  it('loses no output when the leader of the stream is killed in the midst of it', async () => {
    const servers = await startNatsCluster();
    const address = servers.map(({ address: one }) => one.replace('nats://', '')).join(',');
    const start = (left: number): Promise<ChildProcess> =>
      startExecutor(`nats://${address}`, 'build-1', '--stream-replicas', '3').catch((error) => {
        if (left === 0) throw error;
        return start(left - 1); // no leader yet
      });
    await start(10);
    const link$ = linkTo(`nats://${address}`);
    const { events, over } = counting(backendAt(link$, 'build-1'), 2_000);
    await until(() => events.length > 100, 'some output');
    const leader = await leaderOf(servers.map(({ port }) => port));
    await servers[leader]?.kill();
    expectWhole(await over, 2_000);
  }, 120_000);
});

/** The place of the server that leads the stream. */
const leaderOf = async (ports: readonly number[]): Promise<number> => {
  const { core, jetstream } = packages();
  const connection = await core.connect({ servers: `127.0.0.1:${ports[0]}` });
  const manager = await jetstream.jetstreamManager(connection);
  const { cluster } = await manager.streams.info('codex-rx-exec-build-1');
  await connection.close();
  return Number(cluster?.leader?.replace('node-', ''));
};

const packages = () => ({
  core: require('@nats-io/transport-node') as typeof import('@nats-io/transport-node'),
  jetstream: require('@nats-io/jetstream') as typeof import('@nats-io/jetstream'),
});

describe('a pool of five', () => {
  it('runs 1,000 processes, loses none of their output and leaves nothing behind', async () => {
    const { address } = await startNats();
    const names = ['a', 'b', 'c', 'd', 'e'];
    const executors = await Promise.all(names.map((name) => startExecutor(address, name, '--pool', 'five')));
    const link$ = linkTo(address);
    const backends = new Map(names.map((name) => [name, backendAt(link$, name)] as const));
    const used = new Map<string, number>();
    const pool = poolBackend({
      link$,
      pool: 'five',
      backendOf: (name) => {
        used.set(name, (used.get(name) ?? 0) + 1);
        return backends.get(name) as Backend;
      },
    });
    const run = async (i: number) => {
      const events = await lastValueFrom(pool.start(sh(`echo ${i}; exec /bin/true`)).pipe(filter(isEvent), toArray()));
      return [textOf(events), events.at(-1)?.kind];
    };
    const all = await Promise.all(Array.from({ length: 1_000 }, (_, i) => run(i)));
    expect(all).toEqual(Array.from({ length: 1_000 }, (_, i) => [`${i}\n`, 'closed']));
    expect([...used.values()].every((count) => count > 100)).toBe(true);
    const pids = executors.map(({ pid }) => String(pid)).join(',');
    await until(() => childrenOf(pids) === '', 'the end of all processes');
  }, 120_000);
});

/** The processes below these, except for the watchers that end them together. */
const childrenOf = (pids: string): string => {
  try {
    return execFileSync('ps', ['-o', 'args=', '--ppid', pids])
      .toString()
      .split('\n')
      .filter((line) => /\/bin\/true|echo/.test(line))
      .join('\n');
  } catch {
    return ''; // ps found none
  }
};
