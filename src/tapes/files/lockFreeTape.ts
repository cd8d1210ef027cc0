/** Finds a file for a tape that no other recorder writes to, as two recorders would mix their lines. */

/** Locks a file. Returns how to release the lock; `taken` if another process has it; undefined if the file cannot be locked. */
export type TakeLock = (path: string) => (() => void) | 'taken' | undefined;

/** If more recorders run at once, the rest write to the named file itself. */
const MAX_TAPES = 1_000;

/**
 * The first free file of `tape.jsonl`, `tape-2.jsonl` and so on, and how to release it.
 * @param from the number of the first file to try, from 0
 */
export const lockFreeTape = (take: TakeLock, path: string, from: number): { path: string; release: () => void } => {
  for (let number = from; number < from + MAX_TAPES; number++) {
    const free = sessionPath(path, number);
    const release = take(free);
    if (release !== 'taken') return { path: free, release: release ?? (() => {}) };
  }
  return { path, release: () => {} };
};

/** The path of the tape of a session, counted from 0: the given path for the first, then `tape-2.jsonl` next to `tape.jsonl`, and so on. */
export const sessionPath = (path: string, session: number): string => {
  if (session === 0) return path;
  const [, stem = path, extension = ''] = /^(.*[^/])(\.[^./]+)$/.exec(path) ?? [];
  return `${stem}-${session + 1}${extension}`;
};
