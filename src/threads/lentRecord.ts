/** The record of a thread in a file, whose lock this process has during a turn only: between turns any process may continue the thread. */
import { join } from 'node:path';
import { EMPTY } from 'rxjs';
import { takenText } from '../io/files/lockFile';
import type { FindPlace } from './listing/findRollout';
import { ThreadError } from './threadError';
import { type Claim, type RecordDeps, type ThreadRecord, threadRecord } from './threadRecord';

/** What a record needs of its store. */
export type LentDeps = LockPlace &
  Omit<RecordDeps, 'open' | 'nextOrdinal'> & {
    /** The threads of this store that other processes may have until their next turn here. */
    lent: Set<string>;
  };

type LentThread = {
  id: string;
  path: string;
  /** Releases the thread; absent for a thread that is taken when its file is opened. */
  release?: () => void;
  /** The number of the next line, if the lines of the rollout are counted. */
  nextOrdinal?: number;
};

/** The record of a thread that is lent between its turns. */
export const lentRecord = (deps: LentDeps, { nextOrdinal, ...thread }: LentThread): ThreadRecord => {
  const lock = threadLock(deps, thread);
  const open = () => {
    lock.take();
    return deps.files.open(thread.path);
  };
  const record = threadRecord({ ...deps, open, nextOrdinal });
  return {
    ...record,
    answersAtOnce: true,
    rest: () => {
      if (record.isKept()) lock.lend();
      return EMPTY;
    },
    claim: lock.claim,
    close: () => {
      const closed$ = record.close();
      lock.close();
      return closed$;
    },
  };
};

/**
 * A file that has another size at the next claim was continued by another process. A file that is gone was not, so that its thread goes on in memory. Another
 * process that has the thread now makes it `stale`, too: resuming it gives the reason.
 */
const threadLock = (deps: LentDeps, { id, path, ...taken }: LentThread) => {
  const { files, lent } = deps;
  let release = taken.release;
  let lentSize: number | undefined;
  let isClosed = false;
  const take = () => {
    if (!lent.has(id)) release ??= takeThread(deps, id);
  };
  const giveUp = () => {
    release?.();
    release = undefined;
  };
  const lend = () => {
    if (release === undefined) return;
    lentSize = files.facts(path)?.size;
    giveUp();
    lent.add(id);
  };
  const claim = (): Claim => {
    if (!lent.delete(id)) return isClosed ? 'stale' : 'current';
    return tookBack(take) && [undefined, lentSize].includes(files.facts(path)?.size) ? 'current' : 'stale';
  };
  const close = () => {
    isClosed = true;
    lent.delete(id);
    giveUp();
  };
  return { take, lend, claim, close };
};

const tookBack = (take: () => void): boolean => {
  try {
    take();
    return true;
  } catch (error) {
    if (error instanceof ThreadError) return false;
    throw error;
  }
};

export type LockPlace = FindPlace & {
  /** The process that holds Codex's kind of lock on a file, if the system reveals it. */
  systemLock: (path: string) => number | undefined;
  /** The threads that this process has open, and has lent to others. Default: none. */
  lent?: ReadonlySet<string>;
};

/**
 * Takes a thread for this process and returns the function that releases it. Throws ThreadError if this or another process has it.
 * Source: codex 0.169.0, which locks a file per thread as long as it has the thread loaded; releases before take no lock.
 */
export const takeThread = ({ files, home, systemLock, lent }: LockPlace, id: string): (() => void) => {
  if (lent?.has(id)) throw new ThreadError(openHereText(id));
  const codex = systemLock(join(home, 'thread-writer-locks', `${id}.lock`));
  if (codex !== undefined) {
    throw new ThreadError(`The thread ${id} is in use by Codex (process ${codex}). Close it there, and call again.`);
  }
  const lock = files.lock(join(home, 'codex-rx', 'locks', `${id}.lock`));
  if (lock.kind === 'locked') return lock.release;
  throw new ThreadError(lock.state === 'self' ? openHereText(id) : `The thread ${id} is in use ${takenText(lock)}.`);
};

const openHereText = (id: string): string =>
  `The thread ${id} is open in this server. Continue it by its whole id; archive it after thread/unsubscribe, or when the server has ended.`;
