/** Tasks as they change, for the subscriptions of clients. */
import {
  concat,
  defer,
  distinctUntilChanged,
  filter,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  repeat,
  takeWhile,
} from 'rxjs';
import { isEnded, type Task } from '../../protocol/mcp/tasks';
import type { TaskStore } from './taskStore';

type WatchDeps = {
  store: TaskStore;
  /** Emits once, after that time, and completes. */
  after: (ms: number) => Observable<unknown>;
};

type WatchedTask = {
  taskId: string;
  /** The task as it is, then as it changes; completes with its end. */
  task$: Observable<Task>;
};

/** How often the file of a task is read that another process works on. */
const READ_MS = 500;

/** The known ones of these tasks; each id once. */
export const watchTasks = (deps: WatchDeps, taskIds: readonly string[]): WatchedTask[] =>
  [...new Set(taskIds)].flatMap((taskId) =>
    deps.store.read(taskId) === undefined ? [] : { taskId, task$: watchTask(deps, taskId) },
  );

/**
 * Emits the task as it is, then as it changes. A task that another process works on is read from its file again and again. Completes with its end.
 *   change  ---b---c         (c its end)
 *   out     a--b---(c|)
 */
const watchTask = ({ store, after }: WatchDeps, taskId: string): Observable<Task> => {
  const read$ = defer(() => of(store.read(taskId))).pipe(
    map((record) => record?.task),
    filter((task) => task !== undefined),
  );
  const later$ = defer(() =>
    store.isOwn(taskId)
      ? store.change$.pipe(
          map(({ task }) => task),
          filter((task) => task.taskId === taskId),
        )
      : concat(after(READ_MS).pipe(ignoreElements()), read$).pipe(repeat()),
  );
  return merge(later$, read$).pipe(
    distinctUntilChanged((one, other) => one === other || JSON.stringify(one) === JSON.stringify(other)),
    takeWhile((task) => !isEnded(task), true),
  );
};
