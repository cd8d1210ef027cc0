/** Subscriptions to tasks, to threads and to the list of threads. Source: 2026-07-28 basic/patterns/subscriptions. */
import { concat, EMPTY, from, map, merge, mergeMap, type Observable, of, take, takeWhile } from 'rxjs';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { Notification, Request } from '../../protocol/jsonrpc/messages';
import { META_SUBSCRIPTION } from '../../protocol/mcp/mcp';
import { readListen } from '../../protocol/mcp/readParams';
import { type Result, toResult } from '../../protocol/rpc/answerOnce';
import type { Method } from '../../protocol/rpc/router';
import { watchTasks } from '../tasks/watchTasks';
import type { McpDeps } from './mcpDeps';
import { libraryCapabilities, listedThreads, threadOf } from './methods/libraryMethods';
import { serverMeta } from './methods/method';

/** What a subscription needs. */
export type ListenDeps = Pick<McpDeps, 'face' | 'tasks' | 'after' | 'library'> & {
  /** Emits at the end of the connection. */
  end$: Observable<unknown>;
};

type Asked = ReturnType<typeof readListen>;

/** What a subscription agrees to, and what it emits of that. */
type Watched = { agreed: JsonObject; message$: Observable<[method: string, params: object]> };

/**
 * Acknowledges the subscription with what it agrees to: known tasks, listed threads, and the list of threads. Answers it at the end of the connection;
 * without anything to agree to it stays open all the same.
 *   task    ------t
 *   thread  --------u
 *   end     ----------z
 *   out     (AT)--T-U-(R|)    (A acknowledged, T the task as it is and as it changes, U the thread has changed, R the result)
 */
export const listen =
  (deps: ListenDeps): Method<Request, Notification> =>
  ({ id, params }) => {
    const { face, end$ } = deps;
    const about = { [META_SUBSCRIPTION]: id };
    const asked = readListen(params);
    const closed = toResult({ resultType: 'complete', _meta: { ...serverMeta(face), ...about } });
    const toNotification = (method: string, members: object): Notification => ({
      kind: 'notification',
      method,
      params: { ...members, _meta: about },
    });
    const watch = (threads: Watched): Observable<Notification | Result> => {
      const tasks = watchedTasks(deps, asked);
      const notifications = { ...tasks.agreed, ...threads.agreed };
      const message$ = merge(tasks.message$, threads.message$);
      return concat(
        of(toNotification('notifications/subscriptions/acknowledged', { notifications })),
        merge(
          message$.pipe(map(([method, members]) => toNotification(method, members))),
          end$.pipe(map(() => closed)),
        ).pipe(takeWhile(({ kind }) => kind !== 'result', true)),
      );
    };
    const ready$ = merge(watchedThreads(deps, asked), end$.pipe(map(() => undefined))).pipe(take(1));
    return ready$.pipe(mergeMap((threads) => (threads === undefined ? of(closed) : watch(threads))));
  };

const watchedTasks = ({ tasks, after }: ListenDeps, { taskIds }: Asked): Watched => {
  if (tasks === undefined || taskIds === undefined) return NOTHING;
  const watched = taskIds.length === 0 ? [] : watchTasks({ store: tasks.store(), after }, taskIds);
  return {
    agreed: { taskIds: watched.map(({ taskId }) => taskId) },
    message$: merge(...watched.map(({ task$ }) => task$)).pipe(map((task) => ['notifications/tasks', task])),
  };
};

const NOTHING: Watched = { agreed: {}, message$: EMPTY };

/** A thread that is not listed is left out of what is agreed to, as no look at the list would show that it changes. */
const watchedThreads = (deps: ListenDeps, asked: Asked): Observable<Watched> => {
  const { resourceSubscriptions, resourcesListChanged = false } = asked;
  const library = 'resources' in libraryCapabilities(deps) ? deps.library?.() : undefined;
  if (library === undefined || (resourceSubscriptions === undefined && !resourcesListChanged)) return of(NOTHING);
  const wanted = [...new Set(resourceSubscriptions)];
  const listed$ = wanted.length === 0 ? of([]) : listedThreads(library);
  return listed$.pipe(
    map((listed): Watched => {
      const known = new Set<string | undefined>(listed.map(({ id }) => id));
      const uris = wanted.filter((uri) => known.has(threadOf(uri)));
      return {
        agreed: {
          ...(resourcesListChanged && { resourcesListChanged }),
          ...(resourceSubscriptions && { resourceSubscriptions: uris }),
        },
        message$:
          uris.length === 0 && !resourcesListChanged
            ? EMPTY
            : library.threadChange$.pipe(
                mergeMap(({ changed, isListChanged }) =>
                  from([
                    ...(isListChanged && resourcesListChanged ? [LIST_CHANGED] : []),
                    ...uris.filter((uri) => changed.includes(threadOf(uri) ?? '')).map(toUpdated),
                  ]),
                ),
              ),
      };
    }),
  );
};

const LIST_CHANGED: [string, object] = ['notifications/resources/list_changed', {}];

const toUpdated = (uri: string): [string, object] => ['notifications/resources/updated', { uri }];
