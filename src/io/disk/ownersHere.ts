/** Wires owners of locks and journals to this machine. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { hostname } from 'node:os';
import { lazy } from '../../streams/lazy';
import { type Owner, type Owners, ownerState, ownerText } from '../files/owner';
import { ownFacts } from '../files/ownFacts';
import { processStart } from '../files/processStart';

/** `folder` of the files that they own; `sockets`: the folder of the sockets at which owners listen, if they do. */
export type OwnersPlace = { folder: string; sockets?: string };

/** The owners of files in a folder, of which this process, or the one of the id, is one. */
export const ownersHere = ({ folder, sockets }: OwnersPlace, pid: number = process.pid): Owners => {
  const startOf = processStart({ fs, pid: process.pid, isThere: isRunning });
  const facts = lazy(() => ownFacts({ fs, startOf, host: hostname(), folder, boot: bootOf() }, pid));
  const name = lazy(() => `.codex-rx-${randomUUID().slice(-12)}.alive`);
  const open = () => {
    if (sockets === undefined) return undefined;
    if (facts().disk === 'own') lifeSockets().sweepLifeSockets(sockets); // another kernel has sockets that this one takes for dead
    return lifeSockets().openLifeSocket(sockets, name());
  };
  const socket = lazy(open as () => NonNullable<Owner['socket']>); // tried again if there is none
  const self = (): Owner => {
    const made: Owner['socket'] = socket();
    return { ...facts(), ...(made && { socket: made }) };
  };
  return {
    self,
    stateOf: (owner) =>
      ownerState(
        {
          facts: facts(),
          startOf,
          knock: ({ socket }) => (sockets === undefined ? 'unknown' : lifeSockets().knockAt(sockets, socket)),
        },
        owner,
      ),
    nameOf: (owner) => ownerText(owner, facts()),
    forget: ({ socket }) => sockets !== undefined && lifeSockets().removeLifeSocket(sockets, socket),
  };
};

/** Loaded by the first lock, as start-up time counts. */
const lifeSockets = lazy(() => require('./lifeSocket') as typeof import('./lifeSocket'));
const childProcess = lazy(() => require('node:child_process') as typeof import('node:child_process'));

/** True for the id of a process of this namespace, also for one of another user, which cannot be signalled. */
const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Source: macOS, sysctl(3): `kern.bootsessionuuid` is another one after each start. Elsewhere the files of /proc tell. */
const bootOf = (): string | undefined => {
  if (process.platform !== 'darwin') return undefined;
  try {
    const boot = childProcess().execFileSync('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' });
    return boot.trim() || undefined;
  } catch {
    return undefined;
  }
};
