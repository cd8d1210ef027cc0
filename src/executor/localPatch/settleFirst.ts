/** Settles the patches that killed processes left half done before anything is served, so that no command sees a part of one. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { concatAll, defer, EMPTY, from, map, merge, type Observable, of, take, timeout } from 'rxjs';
import type { Log } from '../../protocol/log';
import { lazy } from '../../streams/lazy';
import { inputFirst } from '../../streams/time/limits';
import type { PatchHereDeps } from './patchHere';

/** Requests wait no longer than this: clients give up on a server that is silent for ten seconds. */
const MAX_WAIT_MS = 8_000;

/** Begins to settle; undefined if there is nothing to settle. Never rejects. */
export const settleNow = (deps: PatchHereDeps): Promise<void> | undefined =>
  hasJournals(join(deps.codexHome, 'codex-rx', 'patches')) ? patchModule().patchHere(deps).recover() : undefined;

/** Whether a folder has journals. One access to the disk, as each start waits for it. */
export const hasJournals = (folder: string): boolean => {
  try {
    return readdirSync(folder).some((name) => /\.(open|committed)$/.test(name));
  } catch {
    return false; // there is no such folder
  }
};

/**
 * Emits once, when all of these have settled, or take too long; at once if none does.
 *   settling  ---r
 *   out       ---(x|)
 */
export const settled = ({ log }: { log: Log }, settling: readonly (Promise<void> | undefined)[]): Observable<void> => {
  const under = settling.filter((one) => one !== undefined);
  if (under.length === 0) return of(undefined);
  const text = 'patches that were interrupted are not settled yet: commands may see a part of them';
  return from(Promise.all(under)).pipe(
    map(() => undefined),
    timeout({
      first: MAX_WAIT_MS,
      scheduler: inputFirst,
      with: () => {
        log('warning', text, { waitedMs: MAX_WAIT_MS });
        return of(undefined);
      },
    }),
  );
};

/**
 * Serves once all patches are settled; not at all if `stop$` emits before.
 *   settling  ---r
 *   serving$     s---|
 *   out       ---s---|
 */
export const afterSettling = (
  deps: PatchHereDeps,
  stop$: Observable<unknown>,
): ((serving$: Observable<never>) => Observable<never>) => {
  const settled$ = defer(() => settled(deps, [settleNow(deps)]));
  return (serving$) =>
    merge(settled$.pipe(map(() => serving$)), stop$.pipe(map(() => EMPTY))).pipe(take(1), concatAll());
};

/** Loaded if there are journals, as start-up time counts. */
const patchModule = lazy(() => require('./patchHere') as typeof import('./patchHere'));
