/** Pairs requests with what ends them, and finds the call that each message belongs to. */

import { isObject } from '../../protocol/jsonrpc/json';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import type { TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { nameKey, namesOf, referencesOf } from '../../protocol/jsonrpc/requestNames';
import type { ReadMessage } from './readEntries';
import type { Call, Side } from './sessionIndex';

/** The calls in the order of their requests; `opened` and `owner` are calls, by the index of a message. */
export type PairedCalls = {
  messages: readonly ReadMessage[];
  calls: Call[];
  opened: (number | undefined)[];
  owner: (number | undefined)[];
};

/** The request of the call that a message belongs to. */
export const requestOf = ({ messages, calls, owner }: PairedCalls, index: number): ReadMessage | undefined =>
  messages[calls[owner[index] ?? -1]?.request ?? -1];

/**
 * The calls of each side by their id: `open` are those that wait for a response, oldest first, `latest` is the newest. `named` has the client's calls
 * by all their names, `sent` has them in their order.
 */
type Book = Record<Side, { open: Map<string, number[]>; latest: Map<string, number> }> & {
  named: Map<string, number>;
  sent: { call: number; key: string }[];
};

/**
 * Pairs calls. A response ends the oldest open call with its id; an HTTP error without an id ends the latest open call. A cancel is for the newest open
 * call of its sender with that id. Anything else that a server sends belongs to the client's latest request that it names.
 */
export const pairCalls = (messages: readonly ReadMessage[]): PairedCalls => {
  const paired: PairedCalls = { messages, calls: [], opened: [], owner: [] };
  const book: Book = {
    client: { open: new Map(), latest: new Map() },
    server: { open: new Map(), latest: new Map() },
    named: new Map(),
    sent: [],
  };
  for (const one of messages) {
    paired.owner[one.index] = ownerOf(paired.calls, book, one);
    if (one.message.kind === 'request') paired.opened[one.index] = open(paired.calls, book, one);
  }
  return paired;
};

const open = (calls: Call[], book: Book, { message, from, index }: ReadMessage): number | undefined => {
  if (message.kind !== 'request') return undefined;
  const call = calls.push({ from, request: index, outcome: 'open' }) - 1;
  const key = idKey(message.id);
  const waiting = book[from].open.get(key);
  if (waiting) waiting.push(call);
  else book[from].open.set(key, [call]);
  book[from].latest.set(key, call);
  if (from === 'server') return call;
  book.sent.push({ call, key });
  for (const name of namesOf(message)) book.named.set(nameKey(name), call);
  return call;
};

const ownerOf = (calls: Call[], book: Book, one: ReadMessage): number | undefined => {
  const { message, from } = one;
  if (message.kind === 'response') return respond(calls, book, one);
  if (message.kind === 'notification' && message.method === 'notifications/cancelled') return cancel(calls, book, one);
  return from === 'server' ? namedBy(book, message) : undefined;
};

const namedBy = ({ named }: Book, message: TapeMessage): number | undefined =>
  referencesOf(message)
    .map((name) => named.get(nameKey(name)))
    .find((call) => call !== undefined);

const respond = (calls: Call[], book: Book, one: ReadMessage): number | undefined => {
  const { message, from, index } = one;
  if (message.kind !== 'response') return undefined;
  if (message.id === null) return one.status === undefined ? undefined : refuse(calls, book, one);
  const { open, latest } = book[from === 'client' ? 'server' : 'client'];
  const key = idKey(message.id);
  const ended = open.get(key)?.shift();
  if (ended === undefined) return latest.get(key) ?? (from === 'server' ? namedBy(book, message) : undefined);
  const call = calls[ended] as Call;
  const answered = call.cancel === undefined ? 'answered' : 'cancelled';
  calls[ended] = { ...call, response: index, outcome: isFailure(message) ? 'failed' : answered };
  return ended;
};

/** An HTTP error names no request. It comes at once, and so is for the latest call that is open. */
const refuse = (calls: Call[], { sent, client }: Book, { index }: ReadMessage): number | undefined => {
  for (let last = sent.pop(); last !== undefined; last = sent.pop()) {
    const call = calls[last.call] as Call;
    if (call.response !== undefined) continue;
    const waiting = client.open.get(last.key) ?? [];
    waiting.splice(waiting.indexOf(last.call), 1);
    calls[last.call] = { ...call, response: index, outcome: 'failed' };
    return last.call;
  }
  return undefined;
};

const cancel = (calls: Call[], book: Book, { message, from, index }: ReadMessage): number | undefined => {
  const params = 'params' in message && isObject(message.params) ? message.params : {};
  if (!isRequestId(params.requestId)) return undefined;
  const found = book[from].open.get(idKey(params.requestId))?.findLast((call) => calls[call]?.cancel === undefined);
  if (found !== undefined) calls[found] = { ...(calls[found] as Call), cancel: index, outcome: 'cancelled' };
  return found;
};

const isRequestId = (id: unknown): id is RequestId => typeof id === 'string' || typeof id === 'number';

/** Whether a call failed by its response: an error, or a tool result with `isError`. */
export const isFailure = ({ body }: TapeMessage & { kind: 'response' }): boolean =>
  'error' in body || (isObject(body.result) && body.result.isError === true);
