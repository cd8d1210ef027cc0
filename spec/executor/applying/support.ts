/** What the specs of applying share: a plan, and what a process needs to apply it on a disk in memory. */
import type { ApplyDeps } from '../../../src/executor/applying/applyPatch';
import type { PatchOrder } from '../../../src/executor/applying/transact';
import type { Plan } from '../../../src/executor/patch/plan';
import { patchOf, planned } from '../patch/support';
import type { MemoryDisk } from './memoryDisk';

export type Logged = [level: string, message: string];

/** A process at a disk; processes named in `alive` run, and of those of other hosts nothing is known. `committedMs`: when somebody committed the files. */
export const processAt = (
  { disk, journals }: MemoryDisk,
  { pid = 7, host = 'here', alive = [7] as number[], committedMs = 0 } = {},
) => {
  const logged: Logged[] = [];
  let ids = 0;
  const deps: ApplyDeps = {
    disk,
    journals,
    digest: (bytes) => Buffer.from(bytes).toString('base64'),
    newId: () => `${pid}${++ids}`,
    owners: {
      self: () => ({ pid, start: '1', host }),
      stateOf: (other) => (other.host !== host ? 'unknown' : alive.includes(other.pid) ? 'lives' : 'ended'),
      nameOf: (other) => `${other.pid}`,
      forget: () => {},
    },
    reported: new Set(),
    committedSince: async (_, sinceMs) => committedMs > sinceMs,
    log: (level, message) => logged.push([level, message]),
  };
  return { deps, logged };
};

/** One change of each kind, in two folders that are there and two that are not. */
export const FILES = {
  'a.txt': 'a\n',
  'sub/b.txt': 'b\n',
  'gone.txt': 'gone\n',
  'from.txt': 'from\n',
  'over.txt': 'over\n',
};

export const PATCH = patchOf(
  ...['*** Update File: a.txt', '@@', '-a', '+A', '*** Update File: sub/b.txt', '@@', '-b', '+B'],
  ...['*** Delete File: gone.txt', '*** Add File: new/deep/n.txt', '+n', '*** Add File: plain.txt', '+p'],
  ...['*** Update File: from.txt', '*** Move to: over.txt', '@@', '-from', '+to'],
);

export const inFolder = (files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`/ws/${path}`, text]));

export const BEFORE = inFolder(FILES);
export const AFTER = inFolder({
  'a.txt': 'A\n',
  'sub/b.txt': 'B\n',
  'new/deep/n.txt': 'n\n',
  'plain.txt': 'p\n',
  'over.txt': 'to\n',
});

export const orderOf = (plan: Plan): PatchOrder => ({ plan, mayWrite: () => true });
export const theOrder = (): PatchOrder => orderOf(planned(PATCH, FILES));
