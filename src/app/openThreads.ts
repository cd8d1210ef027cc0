/** Wires the thread store to this machine: threads are kept in the folder of Codex, or where the operator says. */
import fs from 'node:fs';
import { join } from 'node:path';
import { EMPTY, map, NEVER, type Observable } from 'rxjs';
import type { NativeDeps } from '../agent/nativeAgent';
import { configDeps, seamsOf, type ThreadsWiring, type Wiring } from '../agent/wiring/wiring';
import { filesHere } from '../io/disk/filesHere';
import { whyNotKept } from '../io/disk/namedHere';
import { systemLock } from '../io/files/lockFile';
import { tapeNamesIn, watchThreads } from '../server/host/libraryHere';
import { MAX_LISTED_THREADS, type ThreadChange } from '../server/mcp/library';
import { limitStored } from '../settings/limitStored';
import { readThreadStore } from '../settings/readThreadStore';
import { lazy } from '../streams/lazy';
import { startsInTurns } from '../streams/pausing';
import { after } from '../streams/time/wait';
import { fileThreads } from '../threads/fileThreads';
import { type KeepPromptDeps, keepPrompt } from '../threads/keepPrompt';
import { withNames } from '../threads/threadNames';
import { lazyStore, type ThreadStore } from '../threads/threadStore';

/** Far behind the end of a turn: a disk that is busy with its lines holds up the next turn that opens a file. */
const SYNC_AFTER_MS = 1_000;

const fleetModule = lazy(
  () => require('../fleet/threads/natsThreads') as typeof import('../fleet/threads/natsThreads'),
);

/** The store of one connection, chosen when it is first used; one beyond this machine is loaded then. Names of threads are those of this machine. */
export const openThreads = (wiring: ThreadsWiring): ThreadStore => {
  const store = lazyStore(() => {
    const address = readThreadStore(configDeps(wiring));
    return address === undefined ? openFiles(wiring) : fleetModule().openFleetThreads(wiring, address);
  });
  const { codexHome: home } = wiring.processInfo;
  return { ...store, list: (query) => store.list(query).pipe(map(withNames({ ...filesHere(home), home }))) };
};

/** A home that cannot be written is logged once; its threads are kept when it can be again. */
const openFiles = ({ processInfo, log }: ThreadsWiring): ThreadStore => {
  const { codexHome, version } = processInfo;
  return fileThreads({
    ...filesHere(codexHome),
    home: codexHome,
    systemLock: systemLock(fs),
    version,
    whyNotKept: () => whyNotKept(join(codexHome, 'sessions'), 'CODEX_HOME'),
    now: Date.now,
    soon: setImmediate,
    starts: startsInTurns({ now: () => performance.now(), soon: setImmediate }),
    later: (run) => void setTimeout(run, SYNC_AFTER_MS).unref(),
    failed: ({ message }) => log('warning', 'threads are not kept on disk', { reason: message }),
    recovered: () => log('info', 'threads are kept on disk again'),
  });
};

/** What becomes of the listed threads, and whether tapes come and go. A tape keeps the changes, and not the looks. */
export const threadChanges = (wiring: Wiring, tapeFolder?: string): Observable<ThreadChange> => {
  const { messages } = seamsOf(wiring);
  if (wiring.seams !== undefined || wiring.disk !== undefined) return messages<ThreadChange>(NEVER);
  const store = openThreads(wiring);
  const list$ = store
    .list({ limit: MAX_LISTED_THREADS, archived: false })
    .pipe(map((threads) => [...threads, ...tapeNamesIn(tapeFolder).map((id) => ({ id, writtenMs: 0, size: 0 }))]));
  return messages(watchThreads({ list$, after }));
};

const promptDeps = ({ processInfo: { codexHome }, log }: Wiring): KeepPromptDeps => ({
  files: filesHere(codexHome).files,
  home: codexHome,
  systemLock: systemLock(fs),
  now: Date.now,
  failed: (reason) => log('warning', 'a prompt is not kept in history.jsonl', { reason }),
});

/** What the native engine needs to keep its threads. */
export const threadPorts = (
  wiring: Wiring,
): Pick<NativeDeps, 'now' | 'steadyMs' | 'afterIdle' | 'openStore' | 'storedSettings' | 'keepPrompt'> => ({
  now: seamsOf(wiring).chance('turnTime', Date.now),
  steadyMs: seamsOf(wiring).chance('idleClock', () => performance.now()),
  afterIdle: seamsOf(wiring).afterIdle,
  openStore: seamsOf(wiring).threads(() => openThreads(wiring)),
  storedSettings: limitStored(configDeps(wiring)),
  keepPrompt: wiring.seams?.effects === 'none' ? () => EMPTY : keepPrompt(promptDeps(wiring)),
});
