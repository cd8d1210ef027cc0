/** The stream of an executor is removed and made again while a process runs: what the new one has is not lost. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defer, filter, lastValueFrom, ReplaySubject, toArray } from 'rxjs';
import type { Started } from '../../../src/executor/backend';
import { natsBackend } from '../../../src/fleet/backend/executorsInFleet';
import { connectNats } from '../../../src/fleet/link/connectNats';
import type { ProcessEvent } from '../../../src/protocol/exec/process';
import { silentLog } from '../../../src/protocol/log';
import { NATS_DEFAULTS } from '../../../src/settings/readNats';
import { noBackpressure } from '../../../src/streams/backpressure';
import { openRoad } from '../../support/exec/execSocket';
import { removeFolder } from '../../support/files';
import { endExecutors, startExecutor } from '../../support/nats/natsExecutor';
import { endNatsServers, startNats } from '../../support/nats/natsServer';
import { needs } from '../../support/needs/needs';
import { until } from '../../support/processes';

const { it } = needs('nats-server');

const { connect } = require('@nats-io/transport-node') as typeof import('@nats-io/transport-node');
const { jetstreamManager } = require('@nats-io/jetstream') as typeof import('@nats-io/jetstream');

const folder = mkdtempSync(path.join(tmpdir(), 'codex-rx-anew-'));
afterEach(endExecutors);
afterEach(endNatsServers);
afterAll(() => removeFolder(folder));

const STREAM = 'codex-rx-exec-build-1';

/** As an operator does who wants other limits: removes the stream, and makes it again unless `isGone`. */
const makeAnew = async (address: string, isGone = false): Promise<void> => {
  const connection = await connect({ servers: address });
  const { streams } = await jetstreamManager(connection);
  const { config } = await streams.info(STREAM);
  await streams.delete(STREAM);
  if (!isGone) await streams.add(config);
  await connection.close();
};

const isEvent = (one: Started | ProcessEvent): one is ProcessEvent => one.kind !== 'started';
const textOf = (events: readonly ProcessEvent[]) =>
  Buffer.concat(events.flatMap((event) => (event.kind === 'output' ? [event.chunk] : []))).toString();

/** A process of build-1 whose client reaches the server at that address. */
const run = (address: string, script: string) => {
  const link$ = defer(() => connectNats({ address, settings: NATS_DEFAULTS, log: silentLog }));
  const backend = natsBackend({
    link$,
    executor: 'build-1',
    newId: randomUUID,
    clientName: 'spec',
    clockMs: () => performance.now(),
    backpressure: noBackpressure,
    log: silentLog,
    idleMs: 10,
  });
  const event$ = new ReplaySubject<ProcessEvent>();
  const events: ProcessEvent[] = [];
  event$.subscribe((event) => events.push(event));
  const env = { PATH: '/usr/bin:/bin' };
  backend
    .start({ argv: ['/bin/sh', '-c', script], cwd: folder, env })
    .pipe(filter(isEvent))
    .subscribe(event$);
  return { events, over: lastValueFrom(event$.pipe(toArray())) };
};

/** Prints numbers, one line each; `%d` in `format` is the number. */
const counting = (count: number, format: string, pauseS: number): string =>
  `i=0; while [ $i -lt ${count} ]; do printf '${format}\\n' $i; sleep ${pauseS}; i=$((i+1)); done`;

/** Every line once, in order. */
const expectLines = (events: readonly ProcessEvent[], lines: readonly number[]): void => {
  expect(events.filter(({ kind }) => kind !== 'output').map(({ kind }) => kind)).toEqual(['exited', 'closed']);
  expect(textOf(events).trimEnd().split('\n').map(Number)).toEqual(lines);
};

/** On a busy machine an event holds many of them. */
const linesIn = (events: readonly ProcessEvent[]): number => textOf(events).split('\n').length - 1;

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);

it('a process goes on, whoever makes the stream', async () => {
  const { address } = await startNats();
  await startExecutor(address, 'build-1');
  const { events, over } = run(address, counting(180, '%d', 0.01));
  await until(() => linesIn(events) > 50, 'some output');
  await makeAnew(address);
  await until(() => linesIn(events) > 120, 'more output');
  await makeAnew(address, true);
  expectLines(await over, upTo(180));
});

it('a client that is cut off meanwhile reads the new stream from its begin, though that has more messages than it knows of', async () => {
  const { address } = await startNats();
  await startExecutor(address, 'build-1');
  const road = await openRoad(address.replace('nats:', 'ws:'));
  const wait = 'until [ -e go ]; do sleep 0.05; done';
  const script = `${counting(40, '%d', 0.01)}; ${wait}; ${counting(60, '%060000d', 0.02)}; sleep 2`;
  const { events, over } = run(road.url.replace('ws:', 'nats:'), script);
  await until(() => textOf(events).endsWith('39\n'), 'the first lines');
  await new Promise((wake) => setTimeout(wake, 2_500)); // the client knows that all of them are acknowledged
  road.block();
  await makeAnew(address);
  writeFileSync(path.join(folder, 'go'), '');
  await new Promise((wake) => setTimeout(wake, 3_000));
  road.unblock();
  expectLines(await over, [...upTo(40), ...upTo(60)]);
  await new Promise((wake) => setTimeout(wake, 300)); // the client closes its connection
  road.close();
});
