/** A backend whose processes start in the folder that was decided on, whatever was put in its place since. */
import { catchError, concatMap, defer, finalize, type Observable, of } from 'rxjs';
import type { ProcessEvent, ProcessSpec } from '../protocol/exec';
import { reasonOf } from '../text';
import type { Backend, Started } from './backend';

/** A folder as processes are to name it; `release` when the process is over. */
export type HeldFolder = { path: string; release: () => void };

/**
 * Emits once the folder at an absolute path without links; undefined where a link is on the way by now, or no folder there. Errors where
 * that cannot be found out.
 */
export type HoldFolder = (path: string) => Observable<HeldFolder | undefined>;

/**
 * Starts each process that has a `realCwd` in that folder, and any other as it is. Where a link has taken its place the process fails, and
 * nothing was started.
 *   hold   --h
 *   start  --s-x-z|    (h the folder, s started, x exited, z closed)
 */
export const inRealFolder =
  (hold: HoldFolder) =>
  ({ start }: Backend): Backend => ({
    start: ({ realCwd, ...spec }) =>
      realCwd === undefined
        ? start(spec)
        : defer(() => hold(realCwd)).pipe(
            concatMap((held) => (held === undefined ? of(failed(replaced(realCwd))) : startIn(start, spec, held))),
            catchError((error) => of(failed(`${realCwd} could not be looked at: ${reasonOf(error)}`))),
          ),
  });

type Life = Observable<Started | ProcessEvent>;

const startIn = (start: Backend['start'], spec: ProcessSpec, held: HeldFolder): Life =>
  start({ ...spec, cwd: held.path }).pipe(finalize(held.release));

const failed = (reason: string): ProcessEvent => ({ kind: 'failed', seq: 1, reason });

const replaced = (folder: string): string =>
  `${folder} is no folder, or a link has taken its place since it was decided that the command may run there; look what stands there, and run it again`;
