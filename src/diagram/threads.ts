/** Owns which thread a message belongs to: by what it says, by the call it belongs to, by what else belongs to that call. */
import { isObject } from '../protocol/jsonrpc';
import type { ChartMarble } from './chart';

/** Source: codex 0.28.0 (sessionId), 0.142.0 (threadId), its events (session_id, thread_id), app-server (thread.id). */
const MEMBERS = ['threadId', 'conversationId', 'sessionId', 'thread_id', 'conversation_id', 'session_id'];
/** Where such members stand, besides the top. */
const INSIDE = ['params', 'result', 'msg', 'arguments', '_meta', 'structuredContent'];

/** The thread that a message or a part of it names. */
export const threadIn = (value: unknown, depth = 0): string | undefined => {
  if (!isObject(value) || depth > 3) return undefined;
  for (const member of MEMBERS) {
    const id = value[member];
    if (typeof id === 'string' && id !== '') return id;
  }
  const { thread } = value;
  if (isObject(thread) && typeof thread.id === 'string' && thread.id !== '') return thread.id;
  for (const member of INSIDE) {
    const found = threadIn(value[member], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
};

/**
 * Gives marbles their threads, by index into what is returned.
 * @param said the thread that a marble names @param owner the marble of the call that a marble belongs to
 */
export const setThreads = (
  marbles: readonly ChartMarble[],
  said: ReadonlyMap<number, string>,
  owner: ReadonlyMap<number, number>,
): string[] => {
  const indexes = new Map<string, number>();
  for (const [i, id] of said) {
    if (!indexes.has(id)) indexes.set(id, indexes.size);
    const marble = marbles[i];
    const asker = marbles[owner.get(i) ?? -1];
    if (marble) marble.thread = indexes.get(id);
    if (asker && asker.thread === undefined) asker.thread = indexes.get(id);
  }
  for (const [i, asker] of owner) {
    const marble = marbles[i];
    if (marble && marble.thread === undefined) marble.thread = marbles[asker]?.thread;
  }
  return [...indexes.keys()];
};
