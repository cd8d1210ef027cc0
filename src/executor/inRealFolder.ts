/** A backend whose processes start only in the folder that was approved, never in what has replaced it since. */
import { catchError, concatMap, defer, finalize, type Observable, of } from 'rxjs';
import type { ProcessEvent, ProcessSpec } from '../protocol/exec/process';
import { reasonOf } from '../streams/text/reasons';
import type { Backend, Started } from './backend';

/** A folder by the path that a process is to use; call `release` when the process has ended. */
export type HeldFolder = { path: string; release: () => void };

/** Emits once: the folder at a path without links; undefined if there is a link by now, or no folder. Errors if that cannot be determined. */
export type HoldFolder = (path: string) => Observable<HeldFolder | undefined>;

/**
 * Starts each process that has a `realCwd` in that folder, and any other as it is. If a link has replaced the folder, the process fails
 * without being started.
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
            catchError((error) => of(failed(`${realCwd} could not be examined: ${reasonOf(error)}`))),
          ),
  });

type Life = Observable<Started | ProcessEvent>;

const startIn = (start: Backend['start'], spec: ProcessSpec, held: HeldFolder): Life =>
  start({ ...spec, cwd: held.path }).pipe(finalize(held.release));

const failed = (reason: string): ProcessEvent => ({ kind: 'failed', seq: 1, reason });

/** Why a command does not start. */
export const replaced = (folder: string): string =>
  `${folder} is not a folder, or was replaced by a link after the command was allowed to run there; check the path, and run the command again`;
