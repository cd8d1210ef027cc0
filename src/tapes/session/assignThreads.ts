/** Finds the thread of each message: by what it names, else by the call that it belongs to. */
import { isObject } from '../../protocol/jsonrpc/json';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { type PairedCalls, requestOf } from './pairCalls';
import type { PairedSeamCalls } from './pairSeamCalls';
import type { ReadEntry } from './readEntries';

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

/** The threads in the order in which they are first named; `ofMessage` and `ofSeamCall` are indices into them. */
export type AssignedThreads = {
  threads: string[];
  ofMessage: (number | undefined)[];
  ofSeamCall: (number | undefined)[];
};

/**
 * Gives each message the thread that it names. A request that names none gets the first thread that a message of its
 * call names, and messages of the call that name none get the thread of the request.
 */
export const assignThreads = (
  entries: readonly ReadEntry[],
  paired: PairedCalls,
  { seamCall }: PairedSeamCalls,
): AssignedThreads => {
  const threads = new Map<string, number>();
  const toIndex = (id: string): number => threads.get(id) ?? threads.set(id, threads.size).size - 1;
  const ofMessage: (number | undefined)[] = [];
  const ofSeamCall: (number | undefined)[] = [];
  for (const [i, { entry, messages }] of entries.entries()) {
    const call = entry.dir === 'in' ? seamCall[i] : undefined;
    const named = call === undefined ? undefined : threadIn(parseLine(entry.line).value);
    if (call !== undefined && named !== undefined) ofSeamCall[call] = toIndex(named);
    for (const { index, value } of messages) {
      const id = threadIn(value);
      if (id === undefined) continue;
      ofMessage[index] = toIndex(id);
      const request = requestOf(paired, index);
      if (request) ofMessage[request.index] ??= ofMessage[index];
    }
  }
  for (const { index } of paired.messages) ofMessage[index] ??= ofMessage[requestOf(paired, index)?.index ?? -1];
  return { threads: [...threads.keys()], ofMessage, ofSeamCall };
};
