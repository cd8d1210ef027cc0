/** Processes on executors behind NATS, beside our exec-server on a WebSocket, and beside what the server of NATS does by itself. */
import { bareNats } from '../bareNats.mjs';
import { openNats, withNatsRunners } from '../natsRunners.mjs';
import { nowMs } from '../processes.mjs';
import { commandLine } from '../program.mjs';
import { quantile } from '../results.mjs';
import { socketRunner } from '../runners.mjs';
import { echoMs, linesPerSecond, SIZES } from './executor.mjs';

const ECHOES = 3_000;
const WARM_UP = 5_000;
const STARTS = 60;
const WS = 'ws';
const BARE = 'bare NATS';
const BESIDE = [WS, BARE];

const rows = [
  ...SIZES.map(({ name, bytes }) => ({
    key: `fleet lines ${name}`,
    label: `an executor behind NATS: lines of ${name} out of a process, /s; bare: acknowledged publishes`,
    better: 'higher',
    targets: bytes === 4096 ? [{ of: WS, atLeast: 0.5 }] : [],
    beside: BESIDE,
  })),
  {
    key: 'fleet echo p50',
    label: 'an executor behind NATS: echo p50, ms; bare: request and response',
    better: 'lower',
    targets: [{ of: BARE, atMost: 3 }],
    beside: BESIDE,
  },
  { key: 'fleet echo p99', label: 'an executor behind NATS: echo p99, ms', better: 'lower', beside: BESIDE },
  {
    key: 'fleet start',
    label: 'an executor behind NATS: start of a process to its first output, p50, ms',
    better: 'lower',
    beside: [WS],
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

const measure = async (runner, scaled, addRow) => {
  const add = (key, value) => addRow(`fleet ${key}`, value);
  try {
    await measureOutput(runner, scaled, add);
    add('start', quantile(await startMs(runner, scaled(STARTS, 20)), 0.5));
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

const measureOne = async ({ program, runnerOf, scaled, add, beside }) => {
  const nats = await openNats();
  try {
    await measureBare(await bareNats(nats.address), scaled, (key, value) => beside(`fleet ${key}`, BARE, value));
    await nats.startExecutor(program, 'bench-1');
    await measure(runnerOf(nats.address, 'bench-1'), scaled, add);
    await measure(await socketRunner(program), scaled, (key, value) => beside(key, WS, value));
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
    const program = commandLine();
    await withNatsRunners((runnerOf) => measureOne({ program, runnerOf, scaled, add, beside }));
  },
};
