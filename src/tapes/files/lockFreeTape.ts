/** Finds a file for a tape that no other recorder writes to, as two recorders would mix their lines. */

/** Takes the lock of a file: how to release it, `taken` where another process has it, undefined where the file takes none. */
export type TakeLock = (path: string) => (() => void) | 'taken' | undefined;

/** With more recorders than these at once, the others write to the file that was named. */
const MAX_TAPES = 1_000;

/** The first of `tape.jsonl`, `tape-2.jsonl` and so on that is free, and how to free it again. @param from the number of the first, from 0 */
export const lockFreeTape = (take: TakeLock, path: string, from: number): { path: string; release: () => void } => {
  for (let number = from; number < from + MAX_TAPES; number++) {
    const free = sessionPath(path, number);
    const release = take(free);
    if (release !== 'taken') return { path: free, release: release ?? (() => {}) };
  }
  return { path, release: () => {} };
};

/** The path of the tape of a session, from 0: the first has the given one, `tape-2.jsonl` is beside `tape.jsonl`. */
export const sessionPath = (path: string, session: number): string => {
  if (session === 0) return path;
  const [, stem = path, extension = ''] = /^(.*[^/])(\.[^./]+)$/.exec(path) ?? [];
  return `${stem}-${session + 1}${extension}`;
};
