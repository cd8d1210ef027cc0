/** A watcher: a tiny process that ends our children when we cannot, because we were killed. */
import type { ChildProcess } from 'node:child_process';
import { counter } from '../../streams/counter';
import type { Spawn } from './spawn';
import { WATCHER_SCRIPT } from './watcherScript';
import type { ProcessMarks, WatchGroup } from './watchGroup';

const TARGETS = {
  group: (id: number) => `-${id}`,
  process: (id: number) => `${id}`,
  server: (id: number) => `later-${id}`,
};

/** @param platform as Node names it; on linux processes are found by their marks */
export type WatchGroupsDeps = { spawn: Spawn; platform?: string };

/**
 * A watcher for process groups, started with the first group or mark, started again when it was killed. It has a session of its
 * own, so signals to our group do not reach it, and it shares nothing with us but one end of a pipe.
 */
export const watchGroups = ({ spawn, platform = process.platform }: WatchGroupsDeps): WatchGroup => {
  const targets = new Set<string>();
  const prefix = platform === 'linux' ? newPrefix() : undefined;
  const watcher = openWatcher({ spawn, prefix, targets });
  const watch = (id: number, what: keyof typeof TARGETS = 'group') => {
    const target = TARGETS[what](id);
    targets.add(target);
    watcher.send(`+ ${target}`);
    return () => {
      if (targets.delete(target)) watcher.send(`- ${target}`);
    };
  };
  return Object.assign(watch, { marks: prefix === undefined ? undefined : marksOf(prefix, watcher) });
};

/** The environment variable that marks all descendants of a command. */
export const PROCESS_MARK = 'CODEX_RX_PROCESS';

/** One for this process and this watcher: process ids are reused. The time is in ns since the system started. */
const newPrefix = (): string => `${process.pid}-${process.hrtime.bigint().toString(36)}-`;

/** A dot ends each value, so that none is the beginning of another. */
const marksOf = (prefix: string, watcher: Watcher): ProcessMarks => {
  const nextNumber = counter();
  return {
    next: () => {
      watcher.start();
      return { name: PROCESS_MARK, value: `${prefix}${nextNumber()}.` };
    },
    kill: (value) => {
      watcher.start();
      watcher.send(`mark ${PROCESS_MARK}=${value}`);
    },
  };
};

type WatcherDeps = { spawn: Spawn; prefix: string | undefined; targets: ReadonlySet<string> };

/** `send` starts the watcher where it does not run; it then gets all targets. */
type Watcher = { start: () => void; send: (line: string) => void };

const openWatcher = ({ spawn, prefix, targets }: WatcherDeps): Watcher => {
  let watcher: ChildProcess | undefined;
  const write = (line: string) => watcher?.stdin?.write(`${line}\n`);
  const start = (): void => {
    if (watcher) return;
    const child = spawn(
      '/bin/sh',
      ['-c', WATCHER_SCRIPT, 'sh', ...(prefix === undefined ? [] : [`${PROCESS_MARK}=${prefix}`])],
      {
        cwd: '/',
        env: { PATH: '/usr/bin:/bin' },
        detached: true,
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    );
    const forget = () => {
      if (watcher === child) watcher = undefined;
    };
    child.on('error', forget).on('exit', forget).unref();
    child.stdin?.on('error', forget);
    (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
    watcher = child;
    for (const target of targets) write(`+ ${target}`);
  };
  const send = (line: string): void => {
    if (watcher) write(line);
    else start();
  };
  return { start, send };
};
