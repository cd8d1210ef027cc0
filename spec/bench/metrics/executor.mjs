/** Processes through the executor: lines out of them, lines there and back, the time of an echo. */
import { nowMs } from '../processes.mjs';
import { commandLine } from '../program.mjs';
import { quantile } from '../results.mjs';
import { bareSpawn, localRunner, socketRunner, stdioRunner } from '../runners.mjs';

export const SIZES = [
  { name: '200 B', bytes: 200, full: 200_000 },
  { name: '4 KB', bytes: 4096, full: 20_000 },
  { name: '64 KB', bytes: 65_536, full: 2000 },
];
const ROADS = ['stdio', 'ws'];
const BESIDE = ['bare spawn', 'local backend'];
const WRITES = 10_000;
const ECHOES = 300;
const LONGEST_MS = 10_000;

/** Resolves to how many lines came, when it is `count` or the time is over; `receive` is for what the process says. */
const counter = (count) => {
  let seen = 0;
  let enough;
  const all = new Promise((done) => {
    enough = () => done(seen);
    setTimeout(enough, LONGEST_MS).unref();
  });
  const receive = (chunk) => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) seen += 1;
    if (seen >= count) enough();
  };
  return { receive, all };
};

export const linesPerSecond = async ({ run }, bytes, count) => {
  const { receive, all } = counter(count);
  const script = 'yes "$0" | head -n "$1"';
  const startedAt = nowMs();
  await run(['/bin/sh', '-c', script, 'x'.repeat(bytes - 1), String(count)], receive);
  return ((await all) / (nowMs() - startedAt)) * 1000;
};

const writesPerSecond = async ({ run }, count) => {
  const { receive, all } = counter(count);
  const { write } = await run(['/bin/cat'], receive);
  const line = Buffer.from(`${'x'.repeat(199)}\n`);
  const startedAt = nowMs();
  for (let i = 0; i < count; i += 1) write(line);
  return ((await all) / (nowMs() - startedAt)) * 1000;
};

/** The first `warmUp` echoes do not count. */
export const echoMs = async ({ run }, count, warmUp = 20) => {
  let received;
  const { write } = await run(['/bin/cat'], () => received());
  const times = [];
  for (let i = 0; i < warmUp + count; i += 1) {
    const startedAt = nowMs();
    const echo = new Promise((done) => {
      received = done;
    });
    write('x\n');
    await echo;
    times.push(nowMs() - startedAt);
  }
  return times.slice(warmUp);
};

const measure = async (runner, scaled, add) => {
  try {
    for (const { name, bytes, full } of SIZES) {
      const perSecond = await linesPerSecond(runner, bytes, scaled(full, 200));
      add(`lines ${name}`, perSecond);
      if (bytes === 65_536) add('bytes', (perSecond * bytes) / 1e6);
    }
    const times = await echoMs(runner, scaled(ECHOES, 100));
    add('echo p50', quantile(times, 0.5));
    add('echo p99', quantile(times, 0.99));
    // last, for a server that takes longer than the time there is has the rest still in its queue
    add('writes', await writesPerSecond(runner, scaled(WRITES, 500)));
  } finally {
    runner.end();
  }
};

const real = { of: 'codex-0.142.0' };
const rowsOf = (road) => [
  ...SIZES.map(({ name, bytes }) => ({
    key: `lines ${name} ${road}`,
    label: `exec-server on ${road}: lines of ${name} out of a process, /s`,
    better: 'higher',
    targets: [{ ...real, atLeast: bytes === 200 ? 1.5 : 2 }],
  })),
  { key: `bytes ${road}`, label: `exec-server on ${road}: output in lines of 64 KB, MB/s`, better: 'higher' },
  {
    key: `writes ${road}`,
    label: `exec-server on ${road}: writes of 200 B there and back, /s`,
    better: 'higher',
  },
  {
    key: `echo p50 ${road}`,
    label: `exec-server on ${road}: echo p50, ms`,
    better: 'lower',
    targets: [{ atMost: 1 }],
  },
  { key: `echo p99 ${road}`, label: `exec-server on ${road}: echo p99, ms`, better: 'lower' },
];

/** The program whose command `exec-server` stands for a server; none for those that have no such command. */
const programOf = ({ name, argv }) => {
  if (name === 'codex-rx') return commandLine();
  return /^codex-0\.(\d+)/.exec(name)?.[1] >= 130 ? argv.slice(0, 1) : undefined;
};

export default {
  name: 'executor',
  needs: [],
  rows: () => ROADS.flatMap((road) => rowsOf(road).map((row) => ({ ...row, beside: BESIDE }))),
  run: async ({ server, scaled, add, beside, note }) => {
    const program = programOf(server);
    if (program === undefined) return note(`lines ${SIZES[0].name} stdio`, 'no exec-server');
    for (const [road, open] of [
      ['stdio', stdioRunner],
      ['ws', socketRunner],
    ]) {
      await measure(await open(program), scaled, (key, value) => add(`${key} ${road}`, value));
    }
    if (server.name !== 'codex-rx') return;
    for (const [name, runner] of [
      ['bare spawn', bareSpawn()],
      ['local backend', await localRunner()],
    ]) {
      const addToAll = (key, value) => {
        for (const road of ROADS) beside(`${key} ${road}`, name, value);
      };
      await measure(runner, scaled, addToAll);
    }
  },
};
