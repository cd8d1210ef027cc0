/** Finds out what a patch would do, without applying it. */
import { concatMap, defer, from, map, type Observable, of } from 'rxjs';
import { parsePatch } from './grammar/parsePatch';
import type { PatchFailure, Plan } from './plan';
import { planPatch } from './planPatch';
import { readView, type ViewDeps } from './readView';

/** `recover`: finishes what killed processes have left half done, so that no plan is based on it. `isFolder`: also false where there is nothing. */
export type CheckDeps = ViewDeps & {
  recover: () => Promise<void>;
  isFolder: (path: string) => Promise<boolean>;
};

/**
 * Reads a patch and the files that it names in a folder, and works out what it would do. Nothing is written.
 * Emits the plan, or why there is none, and completes; errors only on bugs.
 *   text  a---
 *   out   --(P|)
 */
export const checkPatch =
  (deps: CheckDeps) =>
  (text: string, folder: string): Observable<Plan | PatchFailure> =>
    defer(() => {
      const patch = parsePatch(text);
      if (patch.kind !== 'patch') return of(patch);
      return from(deps.isFolder(folder)).pipe(
        concatMap((isThere): Observable<Plan | PatchFailure> => {
          if (!isThere) return of({ kind: 'missingFolder', folder });
          return from(deps.recover()).pipe(
            concatMap(() => readView(deps)(patch, folder)),
            map((view) => planPatch(patch, view)),
          );
        }),
      );
    });
