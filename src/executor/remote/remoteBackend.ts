/** Owns running processes where an exec-server is. */
import {
  catchError,
  concat,
  defer,
  EMPTY,
  endWith,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  ReplaySubject,
  share,
  take,
  takeWhile,
  timer,
} from 'rxjs';
import type { Log } from '../../log';
import type { ProcessSpec } from '../../protocol';
import type { Backend } from '../backend';
import { counter } from './counter';
import { failed, lifeOf } from './lifeOf';
import { type Link, type LinkDeps, openLink } from './openLink';

/**
 * @param idleMs how long a connection without processes is kept
 * @param reconnectForMs how long it is tried to come back to a lost one; for a WebSocket, as codex 0.142.0 does, 25_000
 */
export type RemoteDeps = Omit<LinkDeps, 'newId'> & { log: Log; idleMs?: number };

const IDLE_MS = 30_000;

/**
 * A backend behind one connection, which is made with the first process and shared by all. Events that come twice, late or
 * not at all are put right from what the server retains. When the connection is lost, it is made again for the same session
 * for `reconnectForMs`, and what was missed is read; when the session is lost its processes fail.
 */
export const remoteBackend = ({ log, idleMs = IDLE_MS, ...deps }: RemoteDeps): Backend => {
  const newId = counter();
  const link$ = openLink({ ...deps, newId }).pipe(
    share({ connector: () => new ReplaySubject<Link>(1), resetOnRefCountZero: () => timer(idleMs) }),
  );
  const held$ = link$.pipe(
    ignoreElements(),
    catchError(() => EMPTY), // what is lost a life hears itself
  );
  return {
    start: (spec) =>
      defer(() => {
        const processId = `codex-rx-${newId()}`;
        return merge(
          held$,
          link$.pipe(
            take(1),
            mergeMap((link) => concat(lifeOf(link, processId, spec, log), keep(spec), of(OVER))),
          ),
        ).pipe(
          catchError((error) => of(failed(error), OVER)),
          endWith(OVER),
          takeWhile((event) => event !== OVER),
          map((event) => event as Exclude<typeof event, typeof OVER>),
        );
      }),
  };
};

const OVER = { kind: 'over' as const };

const keep = ({ keepMs }: ProcessSpec): Observable<never> =>
  keepMs === undefined ? EMPTY : timer(keepMs).pipe(ignoreElements());
