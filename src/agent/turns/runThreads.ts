/** What an engine of conversations does with the operations it receives, whatever runs its turns. */
import { defer, type OperatorFunction } from 'rxjs';
import type { Event } from '../../protocol/codex/events';
import type { Op } from '../../protocol/codex/operations';
import { noThreadText, rejection } from './rejection';
import type { ReleaseDeps } from './releaseUnused';
import { routeTurns } from './routeTurns';
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
