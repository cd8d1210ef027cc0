/** Processes on executors behind NATS, beside our exec-server on a WebSocket, and beside what the server of NATS does by itself. */
import { bareNats } from '../bareNats.mjs';
import { openNats, withNatsRunners } from '../natsRunners.mjs';
import { nowMs } from '../processes.mjs';
import { quantile } from '../results.mjs';
import { socketRunner } from '../runners.mjs';
import { words } from '../servers.mjs';
import { echoMs, linesPerSecond, SIZES } from './executor.mjs';

const ECHOES = 3_000;
const WARM_UP = 5_000;
const STARTS = 60;
const EXECUTORS = [1, 2, 3, 4, 5];
const WS = 'ws';
const BARE = 'bare NATS';
const FLOORS = [
  { name: 'floor', kind: 'packages' },
  { name: 'floor, sockets', kind: 'socket' },
];
const BESIDE = [WS, BARE, ...FLOORS.map(({ name }) => name)];
const SERVERS = 3;

const rows = [
  ...SIZES.map(({ name, bytes }) => ({
    key: `fleet lines ${name}`,
    label: `an executor behind NATS: lines of ${name} out of a process, /s; bare: acknowledged publishes`,
    better: 'higher',
    targets:
      bytes === 65_536
        ? [
            { of: WS, atLeast: 1 },
            { of: BARE, atLeast: 0.5 },
          ]
        : [],
    beside: BESIDE,
  })),
  {
    key: 'fleet echo p50',
    label: 'an executor behind NATS: echo p50, ms; bare: request and response',
    better: 'lower',
    targets: [{ of: BARE, atMost: 2 }],
    beside: BESIDE,
  },
  { key: 'fleet echo p99', label: 'an executor behind NATS: echo p99, ms', better: 'lower', beside: BESIDE },
  {
    key: 'fleet start',
    label: 'an executor behind NATS: start of a process to its first output, p50, ms',
    better: 'lower',
    beside: [WS],
  },
  ...EXECUTORS.map((count) => ({
    key: `fleet ${count}`,
    label: `${count} executors behind NATS: lines of 64 KB of one process each, /s together`,
    better: 'higher',
  })),
  ...SIZES.map(({ name }) => ({
    key: `fleet cluster lines ${name}`,
    label: `an executor behind a cluster of ${SERVERS}, each with a copy: lines of ${name}, /s; bare: acknowledged publishes`,
    better: 'higher',
    beside: [BARE],
  })),
  ...['p50', 'p99'].map((part) => ({
    key: `fleet cluster echo ${part}`,
    label: `an executor behind a cluster of ${SERVERS}: echo ${part}, ms; bare: request and response`,
    better: 'lower',
    beside: [BARE],
  })),
  {
    key: 'fleet cluster start',
    label: `an executor behind a cluster of ${SERVERS}: start of a process to its first output, p50, ms`,
    better: 'lower',
  },
];

const startMs = async ({ run }, count) => {
  const times = [];
  for (let i = 0; i < count; i += 1) {
    const startedAt = nowMs();
    await new Promise((seen) => {
      run(['/bin/echo', 'x'], seen);
    });
    times.push(nowMs() - startedAt);
  }
  return times.slice(5);
};

/** Lines and echoes of a runner. */
const measureOutput = async (runner, scaled, add) => {
  for (const { name, bytes, full } of SIZES) {
    add(`lines ${name}`, await linesPerSecond(runner, bytes, scaled(full, 200)));
  }
  addTimes(await echoMs(runner, scaled(ECHOES, 100), scaled(WARM_UP, 20)), add);
};

const addTimes = (times, add) => {
  add('echo p50', quantile(times, 0.5));
  add('echo p99', quantile(times, 0.99));
};

const measure = async (runner, scaled, addRow, kind = 'fleet') => {
  const add = (key, value) => addRow(`${kind} ${key}`, value);
  try {
    await measureOutput(runner, scaled, add);
    add('start', quantile(await startMs(runner, scaled(STARTS, 20)), 0.5));
  } finally {
    runner.end();
  }
};

const measureFloor = async (runner, scaled, add) => {
  try {
    await measureOutput(runner, scaled, add);
  } finally {
    runner.end();
  }
};

const measureBare = async (bare, scaled, addRow) => {
  for (const { name, bytes, full } of SIZES) {
    addRow(`lines ${name}`, await bare.publishes(bytes, scaled(Math.min(full, 20_000), 200)));
  }
  addTimes(await bare.requests(scaled(ECHOES, 100), scaled(WARM_UP, 20)), addRow);
  await bare.end();
};

const measureCluster = async ({ program, runnerOf, scaled, add, beside }) => {
  const nats = await openNats(SERVERS);
  try {
    const bare = await bareNats(nats.address, SERVERS);
    await measureBare(bare, scaled, (key, value) => beside(`fleet cluster ${key}`, BARE, value));
    await nats.startExecutor(program, 'bench-1');
    await measure(runnerOf(nats.address, 'bench-1'), scaled, add, 'fleet cluster');
  } finally {
    nats.end();
  }
};

/** One client of so many executors at once. */
const measureMany = async (runners, count) => {
  const startedAt = nowMs();
  await Promise.all(runners.map((runner) => linesPerSecond(runner, 65_536, count)));
  const perSecond = ((runners.length * count) / (nowMs() - startedAt)) * 1000;
  for (const runner of runners) runner.end();
  return perSecond;
};

const measureOne = async ({ program, runnerOf, scaled, add, beside }) => {
  const nats = await openNats();
  try {
    await measureBare(await bareNats(nats.address), scaled, (key, value) => beside(`fleet ${key}`, BARE, value));
    await nats.startExecutor(program, 'bench-1');
    await measure(runnerOf(nats.address, 'bench-1'), scaled, add);
    await measure(await socketRunner(program), scaled, (key, value) => beside(key, WS, value));
    for (const { name, kind } of FLOORS) {
      await measureFloor(await nats.startFloor(kind), scaled, (key, value) => beside(`fleet ${key}`, name, value));
    }
    for (const count of EXECUTORS) {
      if (count > 1) await nats.startExecutor(program, `bench-${count}`);
      const runners = EXECUTORS.slice(0, count).map((one) => runnerOf(nats.address, `bench-${one}`));
      add(`fleet ${count}`, await measureMany(runners, scaled(1_000, 100)));
    }
  } finally {
    nats.end();
  }
};

export default {
  name: 'fleet',
  needs: [],
  rows: () => rows,
  run: async ({ server, scaled, add, beside, note }) => {
    if (server.name !== 'codex-rx') return note(rows[0].key, 'no executor');
    const program = words(`${process.execPath} bin/codex-rx.js`);
    await withNatsRunners(async (runnerOf) => {
      await measureOne({ program, runnerOf, scaled, add, beside });
      await measureCluster({ program, runnerOf, scaled, add, beside });
    });
  },
};
