/** Wires owners of locks and journals to this machine. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { lazy } from '../../streams/lazy';
import type { FileSystem } from '../files/fileSystem';
import { type Owner, type Owners, ownerState, ownerText } from '../files/owner';
import { readSystem } from '../files/readFile';

/** Where owners are looked for. */
export type OwnersPlace = {
  folder: string;
  /** The folder of the sockets at which owners listen, if they do. */
  sockets?: string;
};

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

/** True for the id of a process of this namespace, also of another user, which cannot be signalled. */
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

type OwnFactsDeps = {
  fs: Pick<FileSystem, 'openSync' | 'readSync' | 'closeSync' | 'readlinkSync' | 'statfsSync'>;
  /** When a process began. */
  startOf: (pid: number) => string | undefined;
  host: string;
  /** Where locks are, or will be: the nearest folder above it that is there counts. */
  folder: string;
  boot?: string;
};

/** Source: statfs(2): ext, XFS, btrfs, F2FS, bcachefs, ZFS, tmpfs, overlayfs. A disk that several machines use at once is none of these. */
const OWN_DISKS = [0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0xca451a4e, 0x2fc12fc1, 0x01021994, 0x794c7630];

/** The facts about a process of this machine; what the system does not tell is left out. @param boot if the system has no /proc */
export const ownFacts = ({ fs, startOf, host, folder, boot: given }: OwnFactsDeps, pid: number): Owner => {
  const boot = given ?? lineOf(fs, '/proc/sys/kernel/random/boot_id');
  const machine = lineOf(fs, '/etc/machine-id');
  const space = linkOf(fs, '/proc/self/ns/pid');
  const disk = diskOf(fs, folder);
  return {
    pid,
    start: startOf(pid) ?? '',
    host,
    ...(boot && { boot }),
    ...(space && { space }),
    ...(machine && { machine }),
    ...(disk && { disk }),
  };
};

const lineOf = (fs: OwnFactsDeps['fs'], path: string): string | undefined => readSystem(fs, path)?.trim();

const linkOf = (fs: OwnFactsDeps['fs'], path: string): string | undefined => {
  try {
    return fs.readlinkSync(path);
  } catch {
    return undefined; // a system without namespaces
  }
};

const diskOf = (fs: OwnFactsDeps['fs'], folder: string): string | undefined => {
  try {
    const { type } = fs.statfsSync(folder);
    return OWN_DISKS.includes(type) ? 'own' : type.toString(16);
  } catch {
    const above = dirname(folder); // it is not there yet, or cannot be asked
    return above === folder ? undefined : diskOf(fs, above);
  }
};

type ProcessDeps = {
  fs: Pick<FileSystem, 'openSync' | 'readSync' | 'closeSync' | 'readlinkSync'>;
  /** The pid of this process. */
  pid: number;
  /** Whether there is a process of this id. */
  isThere: (pid: number) => boolean;
};

/** Source: proc(5), /proc/PID/stat; counted from after the name, which may hold anything. */
const STATE_AT = 0;
const START_AT = 19;

/**
 * The start of a process in ticks since the machine started; undefined if there is none of this id. A zombie has ended. '?' if the system has no /proc, or
 * only that of an outer pid namespace, which has other ids for the same processes.
 */
export const processStart =
  ({ fs, pid: own, isThere }: ProcessDeps) =>
  (pid: number): string | undefined => {
    if (pid !== own && !isThere(pid)) return undefined;
    if (pid !== own && isForeign(fs, own)) return '?';
    const stat = readSystem(fs, `/proc/${pid === own ? 'self' : pid}/stat`);
    if (stat === undefined) return '?';
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[STATE_AT] === 'Z' ? undefined : fields[START_AT];
  };

/** Whether /proc counts processes in another way than this process does. */
const isForeign = (fs: ProcessDeps['fs'], own: number): boolean => {
  try {
    return fs.readlinkSync('/proc/self') !== String(own);
  } catch {
    return false; // there is none
  }
};
