/** The port to the watcher of process groups. */

/** A variable of a child's environment. All that the child starts inherits it, also what leaves its process group. */
export type ProcessMark = { name: string; value: string };

/**
 * `next` gives the mark of one more child; the watcher runs by then, so it knows a child before that runs.
 * `kill` kills every process with a mark, given by its value.
 */
export type ProcessMarks = { next: () => ProcessMark; kill: (value: string) => void };

/**
 * Registers a process group, or one `process` in the group of another, or the group of a `server`, which ends by itself when its
 * input does and may have processes of its own to end. The function that it returns removes it again.
 * `marks` are there where the system lets the environments of processes be read.
 */
export type WatchGroup = {
  (id: number, what?: 'group' | 'process' | 'server'): () => void;
  marks?: ProcessMarks;
};
