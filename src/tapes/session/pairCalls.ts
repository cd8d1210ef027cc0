/** Pairs requests with what ends them, and finds the call that each message belongs to. */
import { isObject, toObject } from '../../protocol/jsonrpc/json';
import { idKey, isRequestId } from '../../protocol/jsonrpc/messages';
import type { TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { nameKey, namesOf, referencesOf } from '../../protocol/jsonrpc/requestNames';
import type { Entry } from '../format/tape';
import type { ReadEntry, ReadMessage } from './readEntries';
import type { Call, CallOutcome, SeamCall, Side } from './sessionIndex';

/** Messages and their calls. */
export type PairedCalls = {
  messages: readonly ReadMessage[];
  /** In the order of their requests. */
  calls: Call[];
  /** By message: the call that it opens. */
  opened: (number | undefined)[];
  /** By message: the call that it belongs to. */
  owner: (number | undefined)[];
};

/** The request of the call that a message belongs to. */
export const requestOf = ({ messages, calls, owner }: PairedCalls, index: number): ReadMessage | undefined =>
  messages[calls[owner[index] ?? -1]?.request ?? -1];

type CallsById = {
  /** Calls without a response, oldest first. */
  open: Map<string, number[]>;
  /** The newest call. */
  latest: Map<string, number>;
};

type Book = Record<Side, CallsById> & {
  /** The client's calls by all their names. */
  named: Map<string, number>;
  /** The client's calls in their order. */
  sent: { call: number; key: string }[];
  /** The client's calls by the session of an agent that they name or open: the latest, and the prompts that have no response, oldest first. */
  sessions: Map<string, { latest: number; prompts: number[] }>;
};

/**
 * Pairs calls. A response ends the oldest open call with its id; an HTTP error without an id ends the latest open call. A cancel is for the newest open
 * call of its sender with that id. Anything else that a server sends belongs to the client's latest request that it names; an agent names only the session,
 * so what it sends belongs to the prompt that runs in the session, else to the session's latest request.
 */
export const pairCalls = (messages: readonly ReadMessage[]): PairedCalls => {
  const paired: PairedCalls = { messages, calls: [], opened: [], owner: [] };
  const book: Book = {
    client: { open: new Map(), latest: new Map() },
    server: { open: new Map(), latest: new Map() },
    named: new Map(),
    sent: [],
    sessions: new Map(),
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
  if (message.method.startsWith('session/')) addToSession(book, message, call);
  return call;
};

/** Source: Agent Client Protocol 1, session setup and prompt turn. */
const PROMPT = 'session/prompt';

const sessionIn = (holder: unknown): string | undefined => {
  const { sessionId } = toObject(holder);
  return typeof sessionId === 'string' ? sessionId : undefined;
};

const addToSession = ({ sessions }: Book, message: TapeMessage & { kind: 'request' }, call: number): void => {
  const id = sessionIn(message.params);
  if (id === undefined) return;
  const prompts = sessions.get(id)?.prompts ?? [];
  if (message.method === PROMPT) prompts.push(call);
  sessions.set(id, { latest: call, prompts });
};

const ownerOf = (calls: Call[], book: Book, one: ReadMessage): number | undefined => {
  const { message, from } = one;
  if (message.kind === 'response') return respond(calls, book, one);
  if (isCancel(message)) return cancel(calls, book, one);
  return from === 'server' ? (namedBy(book, message) ?? runningIn(calls, book, one)) : undefined;
};

const namedBy = ({ named }: Book, message: TapeMessage): number | undefined =>
  referencesOf(message)
    .map((name) => named.get(nameKey(name)))
    .find((call) => call !== undefined);

const runningIn = (calls: readonly Call[], { sessions }: Book, { message }: ReadMessage): number | undefined => {
  const session = sessions.get(('params' in message && sessionIn(message.params)) || '');
  while (session?.prompts[0] !== undefined && calls[session.prompts[0]]?.outcome !== 'open') session.prompts.shift();
  return session?.prompts[0] ?? session?.latest;
};

const respond = (calls: Call[], book: Book, one: ReadMessage): number | undefined => {
  const { message, from, index } = one;
  if (message.kind !== 'response') return undefined;
  if (message.id === null) return one.status === undefined ? undefined : refuse(calls, book, one);
  const { open, latest } = book[from === 'client' ? 'server' : 'client'];
  const key = idKey(message.id);
  const ended = open.get(key)?.shift();
  if (ended === undefined) return latest.get(key) ?? (from === 'server' ? namedBy(book, message) : undefined);
  const call = calls[ended] as Call;
  calls[ended] = { ...call, response: index, outcome: outcomeOf(message, call) };
  const opened = 'result' in message.body && from === 'server' ? sessionIn(message.body.result) : undefined;
  if (opened !== undefined && !book.sessions.has(opened)) book.sessions.set(opened, { latest: ended, prompts: [] });
  return ended;
};

/** An HTTP error names no request. It comes at once, so it ends the latest open call. */
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

/** Notifications that cancel a request, and the member with its id. MCP wants no response then. Source: MCP 2025-11-25, LSP 3.17, ACP 1. */
const CANCELS: ReadonlyMap<string, { member: string; isOwed?: true }> = new Map([
  ['notifications/cancelled', { member: 'requestId' }],
  ['$/cancelRequest', { member: 'id', isOwed: true }],
  ['$/cancel_request', { member: 'requestId', isOwed: true }],
  ['session/cancel', { member: 'sessionId', isOwed: true }],
]);

/** Whether a message cancels a request of its sender. */
export const isCancel = (message: TapeMessage): message is TapeMessage & { kind: 'notification' } =>
  message.kind === 'notification' && CANCELS.has(message.method);

const cancel = (calls: Call[], book: Book, one: ReadMessage): number | undefined => {
  const { message, from, index } = one;
  const { member, isOwed } = ('method' in message && CANCELS.get(message.method)) || { member: '' };
  const named = 'params' in message ? toObject(message.params)[member] : undefined;
  if (!isRequestId(named)) return undefined;
  const open = member === 'sessionId' ? [runningIn(calls, book, one) ?? -1] : book[from].open.get(idKey(named));
  const found = open?.findLast((call) => calls[call]?.outcome === 'open' && calls[call]?.cancel === undefined);
  if (found === undefined) return undefined;
  calls[found] = { ...(calls[found] as Call), cancel: index, ...(!isOwed && { outcome: 'cancelled' }) };
  return found;
};

/** The code of an error that says only that the request was cancelled. Source: LSP 3.17 and Agent Client Protocol 1. */
const CANCELLED = -32800;

const outcomeOf = (message: TapeMessage & { kind: 'response' }, { cancel }: Call): CallOutcome => {
  if (cancel !== undefined && toObject(message.body.error).code === CANCELLED) return 'cancelled';
  if (isFailure(message)) return 'failed';
  return cancel === undefined ? 'answered' : 'cancelled';
};

/** Whether a call failed by its response: an error, or a tool result with `isError`. */
export const isFailure = ({ body }: TapeMessage & { kind: 'response' }): boolean =>
  'error' in body || (isObject(body.result) && body.result.isError === true);

/** Calls at inner seams. */
export type PairedSeamCalls = {
  /** In the order of their requests. */
  seamCalls: SeamCall[];
  /** By entry: the call that it belongs to. */
  seamCall: (number | undefined)[];
};

/** Pairs calls at inner seams: `in` is the request; other entries with its number belong to the call, and the last entry ends it. */
export const pairSeamCalls = (entries: readonly ReadEntry[]): PairedSeamCalls => {
  const paired: PairedSeamCalls = { seamCalls: [], seamCall: [] };
  const latest = new Map<string, number>();
  for (const [index, { entry }] of entries.entries()) {
    const { seam = 'mcp', dir, call } = entry;
    if (seam === 'mcp') continue;
    const key = `${seam} ${call}`;
    if (dir === 'in') latest.set(key, paired.seamCalls.push({ seam, request: index, outcome: 'open' }) - 1);
    const found = dir === 'in' || call !== undefined ? latest.get(key) : undefined;
    if (found === undefined) continue;
    paired.seamCall[index] = found;
    const before = paired.seamCalls[found] as SeamCall;
    if (dir !== 'in') paired.seamCalls[found] = { ...before, last: index, outcome: seamOutcomeOf(entry) };
  }
  return paired;
};

/** The outcome of a call by its latest entry: an event or a note of an error fails it, the note `stopped` cancels it. */
export const seamOutcomeOf = ({ dir, line }: Pick<Entry, 'dir' | 'line'>): CallOutcome => {
  if (dir === 'in') return 'open';
  if (dir === 'out') return /^\{"(kind|type)":"(error|failed)"/.test(line) ? 'failed' : 'answered';
  return line === 'stopped' ? 'cancelled' : 'failed';
};
