/** What every engine of conversations does with its operations, whatever runs its turns: to the queue of their thread, or rejected at once. */
import {
  connect,
  defer,
  filter,
  finalize,
  groupBy,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  Subject,
  tap,
} from 'rxjs';
import { type Event, isLast } from '../../protocol/codex/events';
import type { Op, ThreadOp, ThreadRef } from '../../protocol/codex/operations';
import { ofKind } from '../../streams/ofKind';
import { alongside } from '../../streams/withResource';
import { type QueueInput, queueTurns, type TurnQueue } from './queueTurns';
import { noThreadText, type Rejection, rejection } from './rejection';
import { type ReleaseDeps, releaseUnused, type ThreadUse, threadUse, type Unused } from './releaseUnused';
import { closingEvents, runOpened, type ThreadsDeps, type ThreadTurn, type UnusedThreads } from './runOpened';
import { type ThreadEntry, type ThreadRegistry, threadRegistry } from './threadRegistry';

/**
 * Runs the turns of many threads: finds or starts the thread of each call, one turn of a thread at a time, each within its
 * deadline. Every call gets its last event; a call that cannot begin is rejected with the reason. Threads live as long as the
 * subscription, or until they are closed. Unsubscribing stops all turns.
 *   op    a-b---x---|       (a, b on one thread, x cancels b)
 *   open  -o
 *   out   -t----w-z-|       (t, z events of a; w that b was withdrawn)
 */
export const runThreads =
  <T extends { id: string }>(deps: ThreadsDeps<T>): OperatorFunction<Op, Event> =>
  (op$) =>
    defer(() => {
      const registry = threadRegistry(deps.stored);
      return op$.pipe(
        routeTurns<ThreadTurn<T>, ThreadEntry<T>>({
          route: (op) => {
            const entry = op.kind === 'close' ? registry.find(op.thread) : registry.resolve(op.thread);
            return entry === undefined ? rejection(op, noThreadText(op.thread)) : { kind: 'turn', turn: { op, entry } };
          },
          threadOf: ({ entry }) => entry,
          find: registry.find,
          idOf: ({ id }) => id ?? '',
          run: runOpened(deps, registry),
          ...(deps.unused && { unused: releasing(deps.unused, registry) }),
          withdrawn: (turn) => closingEvents(turn, { kind: 'interrupted' }),
        }),
      );
    });

/** A thread that was opened stays known by its id, so that the newest is still the newest. */
const releasing = <T>(
  { release, ...limits }: UnusedThreads<T>,
  registry: ThreadRegistry<T>,
): ReleaseDeps<ThreadEntry<T>> => ({
  ...limits,
  release: (entry) => {
    if (entry.thread === undefined) return;
    const left = release(entry.thread);
    if (left.kind === 'released') registry.release(entry);
    if (left.kind === 'unloaded') registry.keep(entry, left.thread);
  },
});

/** A call that becomes a turn of a thread, or that cannot begin. */
export type Routed<T> = { kind: 'turn'; turn: T } | Rejection;

/** Where operations go; `K` stands for a thread. */
export type TurnRouting<T, K> = Omit<TurnQueue<T>, 'interrupted'> & {
  /** Finds the thread of a call. */
  route: (op: ThreadOp) => Routed<T>;
  /** The same value for all turns of one thread. */
  threadOf: (turn: T) => K;
  /** A thread that is known, without a turn. */
  find: (ref: ThreadRef) => K | undefined;
  /** The id of a thread, '' while it has none. */
  idOf: (thread: K) => string;
  /** What becomes of threads without a call; by default they stay. */
  unused?: ReleaseDeps<K>;
};

/**
 * Runs threads side by side, the turns of each one after another. An operation costs the same however many threads there
 * are: only the queue of its own thread receives it. Completes after the source, when all turns have completed.
 *   op   a-b---c|          (a, c on one thread, b on another)
 *   out  t-t-z-(zt)(z|)    (t the first event of a turn, z its last)
 */
export const routeTurns =
  <T extends { op: ThreadOp }, K>(routing: TurnRouting<T, K>): OperatorFunction<Op, Event> =>
  (op$) =>
    defer(() => {
      const calls = threadUse<K>();
      const ends = new Map<K, Subject<void>>(); // changed in place: the wires from the release of a thread to the end of its queue
      const unused$ = new Subject<Unused<K>>(); // the wire from the last call of a thread to its release
      const events$ = op$.pipe(
        mergeMap(toInputs(routing, calls)), // at once, also what a client sends in answer to the first event
        runQueues(routing, ends),
        tap((event) => {
          const unused = isLast(event) ? calls.end(event.callId) : undefined;
          if (unused) unused$.next(unused);
        }),
      );
      const { unused } = routing;
      return unused === undefined
        ? events$
        : events$.pipe(alongside(unused$.pipe(releaseUnused(ending(ends, unused), calls))));
    });

/** The queue of a thread ends with the thread. */
const ending = <K>(ends: Map<K, Subject<void>>, { release, ...limits }: ReleaseDeps<K>): ReleaseDeps<K> => ({
  ...limits,
  release: (thread) => {
    ends.get(thread)?.next();
    release(thread);
  },
});

const runQueues = <T extends { op: ThreadOp }, K>(
  routing: TurnRouting<T, K>,
  ends: Map<K, Subject<void>>,
): OperatorFunction<RoutedInput<T, K>, Event> =>
  connect((input$) =>
    merge(
      input$.pipe(ofKind('rejected')),
      input$.pipe(
        filter((input) => input.kind !== 'rejected'),
        groupBy(({ thread }) => thread, { duration: ({ key }) => endOf(ends, key) }),
        mergeMap((group$) =>
          group$.pipe(
            queueTurns<T>({
              ...routing,
              interrupted: ({ callId }) => ({ kind: 'done', callId, threadId: routing.idOf(group$.key) }),
            }),
          ),
        ),
      ),
    ),
  );

const endOf = <K>(ends: Map<K, Subject<void>>, thread: K): Observable<void> => {
  const end$ = new Subject<void>(); // the wire from the release of the thread
  ends.set(thread, end$);
  return end$.pipe(finalize(() => ends.delete(thread)));
};

type RoutedInput<T, K> = (QueueInput<T> & { thread: K }) | Rejection;

/** The operation with its thread; nothing if a call is cancelled that is not open. */
const toInputs =
  <T, K>({ route, threadOf, find }: TurnRouting<T, K>, calls: ThreadUse<K>) =>
  (op: Op): RoutedInput<T, K>[] => {
    const { callId } = op;
    if (op.kind === 'interrupt') {
      const thread = calls.threadOf(callId);
      return thread === undefined ? [] : [{ kind: 'interrupt', callId, thread }];
    }
    if (op.kind === 'interruptThread') {
      const thread = find(op.thread);
      return [thread === undefined ? rejection(op, noThreadText(op.thread)) : { kind: op.kind, op, thread }];
    }
    const routed = route(op);
    if (routed.kind === 'rejected') return [routed];
    const thread = threadOf(routed.turn);
    calls.begin(callId, thread);
    return [{ ...routed, thread }];
  };
