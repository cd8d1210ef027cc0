/** Applies the changes of a patch. */
import { defer, finalize, from, type Observable } from 'rxjs';
import { type RecoverDeps, recoverPatches } from './recoverPatches';
import { type PatchOrder, type PatchOutcome, type TransactDeps, transact } from './transact';

/** The disk, the journals and the locks of one machine. */
export type ApplyDeps = TransactDeps & RecoverDeps;

/**
 * Applies a plan: all files change, or none.
 *
 * Guaranteed: when something fails (a full disk, a missing right, a file that has changed since it was planned) or the subscriber
 * unsubscribes, every file has its old content and nothing is left next to it. Each file is replaced atomically: a reader sees the old or the
 * new content, even after kill -9 or a power failure. After kill -9 in the middle some of the files may be new, until `recoverPatches` of any process that uses
 * the same journals settles the patch: when it starts, and before each patch.
 * Not guaranteed: the old content after kill -9 if no journal could be written; that two files change at the same instant; what another program writes
 * into a file at the moment it is replaced; hard links (the other name keeps the old content), access control lists and extended attributes.
 *
 * Files are opened folder by folder without following links, in this process and not in a sandbox: a link that gets into a path while the patch runs
 * is refused by the system; patches need no bubblewrap, and no 60 ms for a process of their own; and no foreign code runs that a sandbox would
 * have to hold back. Patches of one `applyPatch` run one after another.
 *
 * Emits the outcome and completes; never errors. Unsubscribing rolls back what is not complete.
 *   order  a----
 *   out    ---(A|)
 */
export const applyPatch = (deps: ApplyDeps): ((order: PatchOrder) => Observable<PatchOutcome>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (order) =>
    defer(() => {
      const stop = new AbortController();
      const outcome = last.then(() => recoverPatches(deps)).then(() => transact(deps, order, stop.signal));
      last = outcome.catch(() => {}); // the subscriber gets the error
      return from(outcome).pipe(finalize(() => stop.abort()));
    });
};
