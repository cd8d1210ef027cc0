/** Executors behind a real server of NATS: who uses them, and what becomes of processes when something is lost. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  defer,
  filter,
  firstValueFrom,
  ignoreElements,
  lastValueFrom,
  merge,
  NEVER,
  ReplaySubject,
  switchMap,
  takeWhile,
  tap,
  toArray,
} from 'rxjs';
import type { Backend, Started } from '../../../src/executor/backend';
import { openSession } from '../../../src/executor/remote/openSession';
import { natsBackend, sessionEvents } from '../../../src/fleet/backend/executorsInFleet';
import { natsTransport } from '../../../src/fleet/backend/natsTransport';
import { poolBackend } from '../../../src/fleet/backend/poolBackend';
import { connectNats } from '../../../src/fleet/link/connectNats';
import type { ProcessEvent } from '../../../src/protocol/exec/process';
import { silentLog } from '../../../src/protocol/log';
import { NATS_DEFAULTS } from '../../../src/settings/readNats';
import { noBackpressure } from '../../../src/streams/backpressure';
import { counter } from '../../../src/streams/counter';
import { codexCall, greet } from '../../support/daemon/legacy';
import { endServers, startServer } from '../../support/daemon/peer';
import { openRoad } from '../../support/exec/execSocket';
import { type Home, openHome, removeHomes } from '../../support/home';
import { onLink } from '../../support/nats/fleetThreads';
import { endExecutors, killExecutor, startExecutor } from '../../support/nats/natsExecutor';
import { endNatsServers, startNats } from '../../support/nats/natsServer';
import { needs } from '../../support/needs/needs';
import { gone, until } from '../../support/processes';
import { slowReader } from '../../support/streams';

const { describe } = needs('nats-server');

const SERVER = resolve(__dirname, '../../support/servers/smallServer.mjs');
const script = {
  scenes: [
    {
      when: 'echo',
      answers: [
        { items: [{ call: 'small__echo', args: { text: 'hello' }, id: 'c1' }] },
        { items: [{ text: 'It said: {{output}}' }] },
      ],
    },
  ],
  otherwise: { items: [{ text: 'plain' }] },
};

let address = '';
beforeAll(async () => {
  address = (await startNats()).address;
});
afterAll(endNatsServers);
afterEach(endServers);
afterEach(endExecutors);
afterEach(removeHomes);

const backendOf = (executor: string): Backend =>
  natsBackend({
    link$: defer(() => connectNats({ address, settings: NATS_DEFAULTS, log: silentLog })),
    executor,
    newId: randomUUID,
    clientName: 'spec',
    clockMs: () => performance.now(),
    backpressure: noBackpressure,
    log: silentLog,
    idleMs: 10,
  });
const sh = (text: string) => ({ argv: ['/bin/sh', '-c', text], cwd: '/', env: { PATH: '/usr/bin:/bin' } });
const isEvent = (one: Started | ProcessEvent): one is ProcessEvent => one.kind !== 'started';
const textOf = (events: readonly ProcessEvent[]) =>
  Buffer.concat(events.flatMap((event) => (event.kind === 'output' ? [event.chunk] : []))).toString();
/** A process that failed has no text: its reason is thrown, so that a spec shows it. */
const wholeTextOf = (events: readonly ProcessEvent[]): string => {
  const lost = events.filter(({ kind }) => kind === 'failed' || kind === 'gap');
  if (lost.length > 0) throw new Error(`output is missing: ${JSON.stringify(lost)}`);
  return textOf(events);
};

/** How long the MCP server may take: it starts behind two connections and an executor. After the default of 10 s the thread has none of its tools. */
const START_S = 50;

/** Where the environment `build` is; the home's MCP server `small` runs there, and notes what it does. */
const withToolServer = (target: string): { home: Home; notes: () => string[] } => {
  const home = openHome();
  const log = join(home.path, 'servers.log');
  home.write('.codex/environments.toml', `[[environments]]\nid = "build"\nurl = "${address}"\n${target}\n`);
  home.write(
    '.codex/config.toml',
    `[mcp_servers.small]\ncommand = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([SERVER, 'well', log])}\nenvironment_id = "build"\nstartup_timeout_sec = ${START_S}\n`,
  );
  return { home, notes: () => readFileSync(log, 'utf8').trimEnd().split('\n') };
};

describe('executors behind NATS', () => {
  it.each(['executor = "build-1"', 'pool = "linux"'])('run MCP servers of an environment with %s', async (target) => {
    await startExecutor(address, 'build-1', '--pool', 'linux');
    const { home, notes } = withToolServer(target);
    const peer = startServer({ home, script });
    await greet(peer, { elicitation: {} });
    const answer = await peer.request('tools/call', codexCall(peer, 'echo', { 'approval-policy': 'on-request' }), 1);
    expect(answer.result.content[0].text).toContain('hello from');
    const pid = Number(notes()[0]?.split(' ')[1]);
    expect(await peer.end()).toEqual({ code: 0, signal: null });
    await gone([pid]);
  });

  it('refuse a name that is taken', async () => {
    await startExecutor(address, 'build-1');
    await expect(startExecutor(address, 'build-1')).rejects.toThrow(/an executor build-1 is there already/);
  });

  it('fail their processes within 10 s when they are killed, with a reason, after all that was stored', async () => {
    const executor = await startExecutor(address, 'build-2');
    const event$ = new ReplaySubject<ProcessEvent>();
    backendOf('build-2').start(sh('echo $$; exec sleep 300')).pipe(filter(isEvent)).subscribe(event$);
    const first = await firstValueFrom(event$);
    const killedAt = performance.now();
    await killExecutor(executor);
    const events = await lastValueFrom(event$.pipe(toArray()));
    expect(performance.now() - killedAt).toBeLessThan(20_000); // 10 s, and what a busy machine takes
    expect(events).toEqual([first, { kind: 'failed', seq: 2, reason: expect.stringMatching(/build-2/) }]);
    await gone([Number(textOf(events))]);
  });

  it('of a pool share its processes, and one that is killed is left out', async () => {
    const [one, ...others] = await Promise.all(
      ['a', 'b', 'c'].map((name) => startExecutor(address, name, '--pool', 'three', '--max-processes', '20')),
    );
    const link$ = defer(() => connectNats({ address, settings: NATS_DEFAULTS, log: silentLog }));
    const used: string[] = [];
    const pool = poolBackend({
      link$,
      pool: 'three',
      backendOf: (name) => ({
        start: (spec) =>
          backendOf(name)
            .start(spec)
            .pipe(tap({ subscribe: () => used.push(name) })),
      }),
    });
    const run = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () => lastValueFrom(pool.start(sh('echo x')).pipe(filter(isEvent), toArray()))),
      );
    const all = await run(9);
    expect(all.map(wholeTextOf)).toEqual(Array.from({ length: 9 }, () => 'x\n'));
    expect(used).toHaveLength(9); // how they share them is in poolBackend.spec; a busy machine may have no status of one in time
    await killExecutor(one as (typeof others)[number]);
    await new Promise((wake) => setTimeout(wake, 1_100)); // what the members have reported is used for a second
    used.length = 0;
    expect((await run(4)).map(wholeTextOf)).toEqual(Array.from({ length: 4 }, () => 'x\n'));
    expect(used).toHaveLength(4);
    expect(used).not.toContain('a');
  });

  it('end the processes of a client that is killed', async () => {
    await startExecutor(address, 'build-1', '--session-grace-s', '0.5');
    const { home, notes } = withToolServer('executor = "build-1"');
    const peer = startServer({ home, script });
    await greet(peer, { elicitation: {} });
    const answer = await peer.request('tools/call', codexCall(peer, 'echo', { 'approval-policy': 'on-request' }), 1);
    expect(answer.result.content[0].text).toContain('hello from');
    const pid = Number(notes()[0]?.split(' ')[1]);
    peer.child.kill('SIGKILL');
    await gone([pid]);
  });
});

describe('the output of processes behind NATS', () => {
  const big = 'i=0; while [ $i -lt 300 ]; do printf "%065536d" $i; i=$((i+1)); done';
  const linkTo = (where: string) =>
    defer(() => connectNats({ address: where, settings: NATS_DEFAULTS, log: silentLog }));
  const sizeOf = (events: readonly ProcessEvent[]) =>
    events.reduce((sum, event) => sum + (event.kind === 'output' ? event.chunk.length : 0), 0);

  it('waits while the stream is full, and arrives whole when its reader goes on', async () => {
    await startExecutor(address, 'small', '--stream-mb', '4');
    const { reader, backpressure, drain$ } = slowReader();
    reader.long = true;
    const backend = natsBackend({
      link$: linkTo(address),
      executor: 'small',
      newId: randomUUID,
      clientName: 'spec',
      backpressure,
      log: silentLog,
      idleMs: 10,
      clockMs: () => performance.now(),
    });
    const event$ = new ReplaySubject<ProcessEvent>();
    const events: ProcessEvent[] = [];
    event$.subscribe((event) => events.push(event));
    backend.start(sh(big)).pipe(filter(isEvent)).subscribe(event$);
    await new Promise((wake) => setTimeout(wake, 2_000));
    expect(sizeOf(events)).toBeLessThan(8_000_000);
    reader.long = false;
    drain$.next();
    await lastValueFrom(event$);
    expect(sizeOf(events)).toBe(300 * 65_536);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    expect(events.at(-1)?.kind).toBe('closed');
  });

  it('arrives whole at a slow reader though the stream makes room by the events of a process that was read', async () => {
    await startExecutor(address, 'build-4', '--stream-mb', '3');
    const { reader, backpressure, drain$ } = slowReader();
    const over$ = new ReplaySubject<void>(1);
    const backend = natsBackend({
      link$: linkTo(address),
      executor: 'build-4',
      newId: randomUUID,
      clientName: 'spec',
      over$,
      backpressure,
      log: silentLog,
      clockMs: () => performance.now(),
    });
    const stored = () =>
      onLink(address, (link) => link.countMessages('codex-rx-exec-build-4', 'codex-rx.events.build-4.>'));
    const subjects = async () => Object.keys(await stored());
    const quick = await lastValueFrom(backend.start(sh('echo x')).pipe(filter(isEvent), toArray()));
    const [read = ''] = await subjects();
    expect([wholeTextOf(quick), read]).toEqual(['x\n', expect.stringContaining('.events.build-4.')]);
    reader.long = true;
    const event$ = new ReplaySubject<ProcessEvent>();
    backend.start(sh(big)).pipe(filter(isEvent)).subscribe(event$);
    while ((await subjects()).includes(read)) await new Promise((wake) => setTimeout(wake, 20)); // there is no room for all
    reader.long = false;
    drain$.next();
    const events = await lastValueFrom(event$.pipe(toArray()));
    expect(events.filter(({ kind }) => kind === 'gap')).toEqual([]);
    expect(sizeOf(events)).toBe(300 * 65_536);
    over$.next();
  });

  it('is read on by another client when the first is cut off for good, each event once', async () => {
    await startExecutor(address, 'build-3');
    const road = await openRoad(address.replace('nats:', 'ws:'));
    const ids: string[] = [];
    const openAt = (where: string, resumeSessionId?: string) => {
      const link$ = linkTo(where);
      const deps = { link$, executor: 'build-3', newId: randomUUID, backpressure: noBackpressure, log: silentLog };
      const events = sessionEvents(deps);
      const read: typeof events.read = (session) => {
        ids.push(session.sessionId);
        return events.read(session);
      };
      return openSession({
        transport: natsTransport(deps),
        stored: { ...events, read },
        clientName: 'spec',
        log: silentLog,
        newId: counter(),
        clockMs: () => performance.now(),
        ...(resumeSessionId && { resumeSessionId }),
      });
    };
    const seen: ProcessEvent[] = [];
    const script = 'i=0; while [ $i -lt 200 ]; do echo $i; sleep 0.01; i=$((i+1)); done';
    const first = openAt(road.url.replace('ws:', 'nats:'));
    const running = first
      .pipe(
        switchMap((session) =>
          merge(
            session.storedEventsOf?.('p') ?? NEVER,
            session
              .request(
                'process/start',
                { processId: 'p', ...sh(script), cwd: 'file:///', tty: false, holdOutput: true },
                'repeat',
              )
              .pipe(ignoreElements()),
          ),
        ),
      )
      .subscribe({ next: (event) => seen.push(event), error: () => {} });
    await until(() => seen.length > 20, 'some output');
    road.block(); // as a machine that is switched off
    const rest = await lastValueFrom(
      openAt(address, ids[0]).pipe(
        switchMap((session) => session.storedEventsOf?.('p') ?? NEVER),
        takeWhile(({ kind }) => kind !== 'closed', true),
        toArray(),
      ),
    );
    running.unsubscribe();
    road.close();
    const all = [...seen, ...rest.filter(({ seq }) => seq > (seen.at(-1)?.seq ?? 0))];
    expect(wholeTextOf(all)).toBe(Array.from({ length: 200 }, (_, i) => `${i}\n`).join(''));
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i + 1));
  });
});
