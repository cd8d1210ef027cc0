/** Owns which threads there are, and to which of them a call belongs. */
import { type ThreadRef, type ThreadSettings, type TurnOp, toUuid } from '../protocol/codex';
import type { Addressed } from '../streams';
import type { Link } from './link';

/**
 * A thread as this connection knows it. `id` is known once the server has begun it; `settings` are those it was begun
 * with, unknown for one that was begun elsewhere; `loadedBy` is the server process that has it in memory; `turnId` is of its
 * newest turn.
 */
export type Thread = { id?: string; settings?: ThreadSettings; loadedBy?: Link; turnId?: string };

/** One call on its thread. */
export type Turn = { op: TurnOp; thread: Thread };

const NONE = 'There is no thread on this connection yet. Start one with the tool codex, or pass a threadId.';

/**
 * Finds or begins the record of each call's thread; one that is not known here may be known to the server.
 * Make one per connection; `keep` is told of a thread that got its id, `drop` of one that could not be begun: it is not the
 * newest of this connection then.
 */
export const threads = () => {
  const known = new Map<string, Thread>();
  const inOrder = new Set<Thread>();
  const find = (ref: ThreadRef): Thread | undefined => {
    if ('start' in ref) return { settings: ref.start };
    if ('newest' in ref) return [...inOrder].at(-1);
    const id = toUuid(ref.id);
    return known.get(id) ?? remember({ id });
  };
  const remember = (thread: Thread): Thread => {
    if (thread.id !== undefined) known.set(thread.id, thread);
    return thread;
  };
  const address = (op: TurnOp): Addressed<Turn> => {
    const thread = find(op.thread);
    if (thread === undefined) return { kind: 'rejected', callId: op.callId, message: NONE };
    inOrder.delete(thread);
    inOrder.add(thread);
    return { kind: 'wanted', turn: { op, thread } };
  };
  const drop = (thread: Thread): void => {
    inOrder.delete(thread);
    if (thread.id !== undefined) known.delete(thread.id);
  };
  const keep = (thread: Thread): void => {
    remember(thread);
    inOrder.add(thread);
  };
  return { address, keep, drop };
};
