/** Real processes: what the watcher does is done by a shell. */
import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Spawn } from '../../../src/io/processes/child';
import { countGroups, watchGroups } from '../../../src/io/processes/watchGroups';
import { gone, isAlive, until } from '../../support/processes';

const sleeper = (): number => {
  const child = spawn('/bin/sh', ['-c', 'sleep 300 & wait'], { detached: true, stdio: 'ignore' });
  child.unref();
  return child.pid as number;
};

const end = (pids: number[]) => {
  for (const pid of pids) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {} // it is gone, as it should
  }
};

/** A watcher, and the processes it was made of. */
const watched = () => {
  const watchers: ChildProcess[] = [];
  const spy: Spawn = (...args) => {
    const child = spawn(...args);
    watchers.push(child);
    return child;
  };
  return { watch: watchGroups({ spawn: spy }), watchers };
};

/** The processes whose command line ends with these words. */
const running = (words: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      return argv.join(' ').trim().endsWith(words);
    } catch {
      return false; // not a process, or gone by now
    }
  });

/** What the kernel does to the pipe when we die. */
const die = ({ stdin }: ChildProcess) => stdin?.destroy();

describe('watchGroups', () => {
  it('starts nothing before there is a group to watch', () => {
    expect(watched().watchers).toEqual([]);
  });

  it('kills the groups that are left when its input ends, and no others', async () => {
    const { watch, watchers } = watched();
    const pids = [sleeper(), sleeper(), sleeper(), sleeper()];
    const forgets = pids.map((pid) => watch(pid));
    expect(watchers).toHaveLength(1);
    for (const i of [0, 2]) forgets[i]?.();
    forgets[2]?.();
    die(watchers[0] as ChildProcess);
    await gone([pids[1], pids[3]] as number[]);
    await gone([watchers[0]?.pid as number]);
    expect([pids[0], pids[2]].map((pid) => isAlive(pid as number))).toEqual([true, true]);
    end(pids);
  });

  it('kills what is below a group and has left it, without a mark', async () => {
    const { watch, watchers } = watched();
    const command = 'env -i /usr/bin/setsid sleep 300 & echo $!; wait';
    const child = spawn('/bin/sh', ['-c', command], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    const [chunk] = await once(child.stdout as Readable, 'data');
    watch(child.pid as number);
    const left = Number(chunk);
    await until(
      () => readFileSync(`/proc/${left}/stat`, 'utf8').includes(`(sleep) S ${child.pid} ${left} `),
      'a group of its own',
    );
    die(watchers[0] as ChildProcess);
    await gone([child.pid as number, left]);
  });

  it('leaves nothing of a command that is starting processes meanwhile', async () => {
    const { watch, watchers } = watched();
    const seconds = `3${process.hrtime.bigint() % 1_000_000n}`;
    const command = `for i in $(seq 300); do env -i /usr/bin/setsid sleep ${seconds} >/dev/null & [ $i != 20 ] || echo; done; wait`;
    const child = spawn('/bin/sh', ['-c', command], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    await once(child.stdout as Readable, 'data');
    watch(child.pid as number, 'process');
    die(watchers[0] as ChildProcess);
    await gone([watchers[0]?.pid as number, child.pid as number]);
    await until(() => running(`sleep ${seconds}`).length === 0, 'the end of all that it started');
  });

  it('continues the mark of the process that started this one, and no other text', () => {
    const next = (mark?: string) =>
      watchGroups({
        spawn: () => Object.assign(new EventEmitter(), { unref: () => {} }) as ChildProcess,
        mark,
      }).marks?.next().value;
    const own = /^\d+-[0-9a-z]+-1\.$/;
    expect(next()).toMatch(own);
    expect(next('12-3z-4.')).toMatch(/^12-3z-4\.\d+-[0-9a-z]+-1\.$/);
    for (const other of ['', 'a', '12-3z-4.\n', '12-3z-4.\nPATH', '12-3z-4.'.repeat(9)])
      expect(next(other)).toMatch(own);
  });

  it('kills one process of a group it knows nothing of', async () => {
    const { watch, watchers } = watched();
    const child = spawn('sleep', ['300'], { stdio: 'ignore' });
    watch(child.pid as number, 'process');
    die(watchers[0] as ChildProcess);
    await gone([child.pid as number]);
  });

  it('gives a server a second to end by itself', async () => {
    const { watch, watchers } = watched();
    const pids = [sleeper(), sleeper()] as [number, number];
    watch(pids[0], 'server');
    watch(pids[1]);
    die(watchers[0] as ChildProcess);
    await gone([pids[1]]);
    expect(isAlive(pids[0])).toBe(true);
    await gone([pids[0]]);
  });

  it('is not moved by signals, and started again with all groups when it was killed', async () => {
    const { watch, watchers } = watched();
    const pids = [sleeper(), sleeper()];
    watch(pids[0] as number);
    const first = watchers[0] as ChildProcess;
    await new Promise((wake) => setTimeout(wake, 100)); // a shell needs a moment to set its traps
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) first.kill(signal);
    await new Promise((wake) => setTimeout(wake, 50));
    expect(isAlive(first.pid as number)).toBe(true);
    first.kill('SIGKILL');
    await until(() => first.signalCode === 'SIGKILL', 'the end of the watcher');
    watch(pids[1] as number);
    expect(watchers).toHaveLength(2);
    die(watchers[1] as ChildProcess);
    await gone(pids);
  });
});

/** Groups, what was watched and forgotten of them, and how often it was reported that none is left. */
const open = () => {
  const emitted: string[] = [];
  const { watch, none$ } = countGroups((id, what = 'group') => {
    emitted.push(`+${what} ${id}`);
    return () => emitted.push(`-${id}`);
  });
  const received = { none: 0 };
  const listen = () => none$.subscribe({ complete: () => received.none++ });
  return { watch, listen, emitted, received };
};

describe('countGroups', () => {
  it('has none to wait for where nothing was started', () => {
    const { listen, received } = open();
    listen();
    expect(received.none).toBe(1);
  });

  it('waits for the last', () => {
    const { watch, listen, emitted, received } = open();
    const first = watch(1);
    const second = watch(2, 'process');
    listen();
    first();
    first();
    expect(received.none).toBe(0);
    second();
    expect(received.none).toBe(1);
    expect(emitted).toEqual(['+group 1', '+process 2', '-1', '-1', '-2']);
    listen();
    expect(received.none).toBe(2);
  });

  it('notifies nobody who has unsubscribed', () => {
    const { watch, listen, received } = open();
    const over = watch(1);
    listen().unsubscribe();
    over();
    expect(received.none).toBe(0);
  });
});
