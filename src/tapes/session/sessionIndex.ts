/**
 * The shapes of a session index: one session of a tape, parsed once, with everything that is derived from it.
 *
 * How to use it: call `toSessionIndex(session)` once and pass the index on. All references are indices into its arrays.
 *   what each entry holds        index.entries[i].messages, .seamCall
 *   the response to a request    index.calls[message.call].response, then index.messages[…]
 *   what a call brought about    index.messages.filter(({ owner }) => owner === call)
 *   which thread                 index.threads[message.thread]
 *   lines, as they were sent     index.clientLines, index.serverLines
 *   client and server            index.parties
 * Deltas are joined by `joinDeltas`, as only its caller knows which messages follow each other.
 */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { ParsedLine, TapeMessage } from '../../protocol/jsonrpc/parseLine';
import type { NumberedEntry } from '../format/tape';
import type { Parties } from './parties';

/** Who sent a message on the wire of MCP. */
export type Side = 'client' | 'server';

/**
 * One message on the wire. `entry` is its entry; `line` its line among those of its side; `part` its place in a batch.
 * `call` is the call that a request opens. `owner` is the call that it belongs to: a response and a cancel to that of
 * their request, what a server sends to the request it names. `thread` is the one it names, else that of its owner.
 */
export type IndexedMessage = {
  readonly index: number;
  readonly from: Side;
  readonly entry: number;
  readonly line: number;
  readonly part?: number;
  readonly t: number;
  readonly lineNumber: number;
  readonly message: TapeMessage;
  readonly value: unknown;
  readonly call?: number;
  readonly owner?: number;
  readonly thread?: number;
};

/** How a call ended: `open` without a response; `failed` with an error, or with a result that is one. */
export type CallOutcome = 'open' | 'answered' | 'failed' | 'cancelled';

/** A request of either side. `request`, `response` and `cancel` are messages; a cancelled call may have a response. */
export type Call = {
  readonly from: Side;
  readonly request: number;
  readonly response?: number;
  readonly cancel?: number;
  readonly outcome: CallOutcome;
};

/** A call at an inner seam, such as `model`. `request` and `last` are entries; `last` is the latest that belongs to the call. */
export type SeamCall = {
  readonly seam: string;
  readonly request: number;
  readonly last?: number;
  readonly outcome: CallOutcome;
  readonly thread?: number;
};

/** An entry that is not blank, with its messages where it is a line on the wire, or its call at an inner seam. */
export type IndexedEntry = NumberedEntry & {
  readonly messages: readonly IndexedMessage[];
  readonly seamCall?: number;
};

/**
 * A line of the client, or the end of its input, which has no messages. `entry` is its entry. `answers` is the line of the server whose request
 * it answers.
 */
export type ClientLine = ParsedLine & {
  readonly kind: 'line' | 'endOfInput';
  readonly entry: number;
  readonly lineNumber: number;
  readonly t: number;
  readonly answers?: number;
};

/**
 * A line of the server. `entry` is its entry. `owner` is the client's line that it belongs to, -1 for none: the one it names by a request's id
 * or progress token (`link` is `named`), else the one before it (`order`). `clientLinesBefore` is how many lines the
 * client had sent by then. `answeredBy` is the client's line that answers it. `status` is that of the HTTP response, where it is an error.
 */
export type ServerLine = ParsedLine & {
  readonly entry: number;
  readonly lineNumber: number;
  readonly t: number;
  readonly owner: number;
  readonly link: 'named' | 'order';
  readonly clientLinesBefore: number;
  readonly answeredBy?: number;
  readonly status?: number;
};

/** How the server's process ended, and the entry that records it. */
export type Exit = { readonly entry: number; readonly code: number | null; readonly signal: string | null };

/** One session of a tape. `inputEnded` is the entry at which the client's input ended. */
export type SessionIndex = {
  readonly meta: JsonObject;
  readonly entries: readonly IndexedEntry[];
  readonly messages: readonly IndexedMessage[];
  readonly clientLines: readonly ClientLine[];
  readonly serverLines: readonly ServerLine[];
  readonly calls: readonly Call[];
  readonly seamCalls: readonly SeamCall[];
  readonly threads: readonly string[];
  readonly parties: Parties;
  readonly inputEnded?: number;
  readonly exit?: Exit;
};
