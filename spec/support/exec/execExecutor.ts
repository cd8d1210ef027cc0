/** Owns executors as threads have them: our own exec-server as built, over its standard streams. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { ReplaySubject } from 'rxjs';
import type { Executor } from '../../../src/executor/backend';
import { overStdio } from '../../../src/executor/remote/execTransport';
import { remoteBackend } from '../../../src/executor/remote/remoteBackend';
import { fromPeer } from '../../../src/io/processes/fromChild';
import { silentLog } from '../../../src/protocol/log';
import { noBackpressure } from '../../../src/streams/backpressure';
import { commandLine } from '../daemon/peer';

/** An executor that starts with its first request, and has ended after all specs of the file. */
export const execExecutor = (...args: string[]): Executor => {
  const over$ = new ReplaySubject<void>(1);
  const children: ChildProcess[] = [];
  const noted = ((...given: Parameters<typeof spawn>) => {
    const child = spawn(...given);
    children.push(child);
    return child;
  }) as typeof spawn;
  afterAll(async () => {
    over$.next();
    const living = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
    await Promise.all(living.map((child) => once(child, 'exit')));
  });
  const argv = commandLine('exec-server', ...args).flat();
  const env = { PATH: process.env.PATH as string, HOME: process.env.HOME as string };
  const deps = { spawn: noted, backpressure: noBackpressure, signals: constants.signals, watch: () => () => {} };
  const transport = overStdio({
    peer: fromPeer(deps, { argv, cwd: '/', env }),
    log: silentLog,
    program: 'exec-server',
  });
  const clockMs = () => performance.now();
  return remoteBackend({ transport, clientName: 'spec', log: silentLog, clockMs, over$ });
};
