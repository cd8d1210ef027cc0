/**
 * A socket at which a process listens as long as it lives: whoever can see it asks the kernel, whatever pid or network namespace it is in. Node has no lock
 * that the kernel releases (flock), and a child process with one would be a process more.
 */
import { mkdirSync, readdir, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { lazy } from '../../streams/lazy';
import type { Owner } from '../files/owner';
import { exactFactsAt, isThere, linkFactsAt } from '../paths/look';

/** Source: unix(7) has room for 108 bytes, macOS for 104; longer paths were cut off by older releases of Node. */
const MAX_PATH_BYTES = 103;

/** Only its owner can connect. */
const OWNER_ONLY = 0o177;

type LifeSocket = NonNullable<Owner['socket']>;

/** Listens in a folder until this process ends, which the event loop does not wait for. Undefined if no socket can be made. */
export const openLifeSocket = (folder: string, name: string): LifeSocket | undefined => {
  const path = join(folder, name);
  if (process.platform === 'win32' || Buffer.byteLength(path) > MAX_PATH_BYTES) return undefined;
  const server = createServer((caller) => caller.destroy());
  server.on('error', () => {}); // such as a file system without sockets: this owner is known by its process id alone
  try {
    for (const path of [dirname(folder), folder]) makeFolder(path);
    const id = idOf(folder);
    if (id === undefined) return undefined;
    listenAt(server, path);
    return server.listening ? { name, folder: id } : undefined;
  } catch {
    return undefined; // a folder that cannot be written
  }
};

/** Not those above: in /proc, where nothing can be made, Node's `recursive` never ends. */
const makeFolder = (path: string): void => {
  if (!isThere(path)) mkdirSync(path, { mode: 0o700 });
};

const listenAt = (server: Server, path: string): void => {
  const before = process.umask(OWNER_ONLY);
  try {
    server.unref().listen(path); // binds before it returns
  } finally {
    process.umask(before);
  }
};

/** What tells a folder from all others of this kernel; undefined if a link, or nothing, is there. */
const idOf = (folder: string): string | undefined => {
  const found = exactFactsAt(folder);
  return found?.isDirectory() ? `${found.dev}:${found.ino}` : undefined;
};

/** Whether the process of this kernel that made a socket lives. A process that has ended may leave its socket; 'unknown' in another file system. */
export const knockAt = (folder: string, socket: LifeSocket | undefined): 'lives' | 'ended' | 'unknown' => {
  if (socket === undefined || idOf(folder) !== socket.folder) return 'unknown';
  return connectNow(join(folder, socket.name));
};

/** Removes the socket of a process that has ended, and nothing else: a lock next to other files may be written by anyone who writes these. */
export const removeLifeSocket = (folder: string, socket: LifeSocket | undefined): void => {
  if (socket === undefined || idOf(folder) !== socket.folder) return;
  removeQuietly(join(folder, socket.name));
};

const removeQuietly = (path: string): void => {
  try {
    if (linkFactsAt(path)?.isSocket()) rmSync(path);
  } catch {
    // it takes no space; the folder cannot be written
  }
};

/** A socket is made in two steps; a younger socket may not listen yet. */
const YOUNG_MS = 60_000;

/** Removes sockets that killed processes left. Nothing waits for it. Only for a folder that no other kernel uses. */
export const sweepLifeSockets = (folder: string): void =>
  readdir(folder, (_, names = []) => {
    for (const path of names.map((name) => join(folder, name)).filter(isOldSocket)) {
      const caller = connect(path, () => caller.destroy()).unref();
      caller.on('error', ({ code }: NodeJS.ErrnoException) => {
        if (code === 'ECONNREFUSED') removeQuietly(path);
      });
    }
  });

const isOldSocket = (path: string): boolean => {
  const facts = linkFactsAt(path);
  return facts?.isSocket() === true && facts.mtimeMs < Date.now() - YOUNG_MS;
};

const ANSWERS = { 1: 'lives', 2: 'ended' } as const;

/** Connects in a thread, as locks are taken in one step and Node connects only later. A full queue of callers means that the process is stopped. */
const CONNECT = `
  const { workerData: { path, shared } } = require('node:worker_threads');
  const answer = new Int32Array(shared);
  const end = (value) => { Atomics.store(answer, 0, value); Atomics.notify(answer, 0); };
  const caller = require('node:net').connect(path);
  caller.on('connect', () => { caller.destroy(); end(1); });
  caller.on('error', ({ code }) => end(code === 'EAGAIN' ? 1 : code === 'ECONNREFUSED' || code === 'ENOENT' ? 2 : 3));
`;

const MAX_WAIT_MS = 5_000;

/** Loaded by the first owner of another namespace, which is rare. */
const threads = lazy(() => require('node:worker_threads') as typeof import('node:worker_threads'));

const connectNow = (path: string): 'lives' | 'ended' | 'unknown' => {
  const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  const answer = new Int32Array(shared);
  try {
    const { Worker } = threads();
    new Worker(CONNECT, { eval: true, workerData: { path, shared }, execArgv: [] }).on('error', () => {}).unref();
  } catch {
    return 'unknown'; // no thread can be made
  }
  Atomics.wait(answer, 0, 0, MAX_WAIT_MS);
  return ANSWERS[Atomics.load(answer, 0) as 1 | 2] ?? 'unknown';
};
