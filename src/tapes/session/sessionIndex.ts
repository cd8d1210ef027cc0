/**
 * The shapes of a session index: one session of a tape, parsed once, with everything that is derived from it.
 *
 * How to use it: call `toSessionIndex(session)` once and pass the index on. All references are indices into its arrays.
 *   what each entry holds        index.entries[i].messages, .seamCall
 *   the response to a request    index.calls[message.call].response, then index.messages[…]
 *   all messages of a call       index.messages.filter(({ owner }) => owner === call)
 *   the thread of a message      index.threads[message.thread]
 *   lines, as they were sent     index.clientLines, index.serverLines
 *   client and server            index.parties
 * Deltas are joined by `joinDeltas`, as only its caller knows which messages follow each other.
 */
import { type JsonObject, parseObject } from '../../protocol/jsonrpc/json';
import type { ParsedLine, TapeMessage } from '../../protocol/jsonrpc/parseLine';
import type { NumberedEntry } from '../format/tape';
import type { Parties } from './parties';

/** Who sent a message on the wire of MCP. */
export type Side = 'client' | 'server';

/** One message on the wire. */
export type IndexedMessage = {
  readonly index: number;
  readonly from: Side;
  readonly entry: number;
  /** Its line, counted among the lines of its side. */
  readonly line: number;
  /** Its place in a batch; undefined outside of batches. */
  readonly part?: number;
  /** ms since the start of the session. */
  readonly t: number;
  /** Its line in the file. */
  readonly lineNumber: number;
  readonly message: TapeMessage;
  readonly value: unknown;
  /** The call that a request opens. */
  readonly call?: number;
  /** The call that it belongs to: a response and a cancel to the call of their request, what a server sends to the request that it names. */
  readonly owner?: number;
  /** The thread that it names, else the thread of its owner. */
  readonly thread?: number;
};

/** How a call ended: `open` without a response; `failed` with an error, or with a tool result that reports an error. */
export type CallOutcome = 'open' | 'answered' | 'failed' | 'cancelled';

/** A request of either side; a cancelled call may have a response. */
export type Call = {
  readonly from: Side;
  /** A message. */
  readonly request: number;
  /** A message. */
  readonly response?: number;
  /** A message. */
  readonly cancel?: number;
  readonly outcome: CallOutcome;
};

/** A call at an inner seam, such as `model`. */
export type SeamCall = {
  readonly seam: string;
  /** An entry. */
  readonly request: number;
  /** The latest entry that belongs to the call. */
  readonly last?: number;
  readonly outcome: CallOutcome;
  readonly thread?: number;
};

/** An entry that is not blank. */
export type IndexedEntry = NumberedEntry & {
  /** Of a line on the wire. */
  readonly messages: readonly IndexedMessage[];
  /** Of an entry at an inner seam. */
  readonly seamCall?: number;
};

/** A line of the client, or the end of its input, which has no messages. */
export type ClientLine = ParsedLine & {
  readonly kind: 'line' | 'endOfInput';
  readonly entry: number;
  readonly lineNumber: number;
  readonly t: number;
  /** The line of the server whose request it answers. */
  readonly answers?: number;
};

/** A line of the server. */
export type ServerLine = ParsedLine & {
  readonly entry: number;
  readonly lineNumber: number;
  readonly t: number;
  /** The client's line that it belongs to, -1 for none. */
  readonly owner: number;
  /** `named`: it names the owner by a request id or a progress token. `order`: the owner is the client's line before it. */
  readonly link: 'named' | 'order';
  /** How many lines the client had sent by then. */
  readonly clientLinesBefore: number;
  /** The client's line that answers it. */
  readonly answeredBy?: number;
  /** Of the HTTP response, if it is an error. */
  readonly status?: number;
};

/** How the server's process ended, and the entry that records it. */
type Exit = { readonly entry: number; readonly code: number | null; readonly signal: string | null };

/** One session of a tape. */
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
  /** The entry at which the client's input ended. */
  readonly inputEnded?: number;
  readonly exit?: Exit;
  /** The signal by which the client asked the server to end, and the entry that notes it. */
  readonly signalled?: { readonly entry: number; readonly signal: string };
};

type ServerEnd = {
  text: string;
  /** An exit code that is not 0, or a signal that a crash raises. A signal that stops a process, such as SIGTERM, is no failure. */
  isFailure: boolean;
};

/** Signals that a program raises by a fault of its own. Source: signal(7), signals with the default to dump core, except SIGQUIT. */
const CRASHES = /^SIG(?:ABRT|BUS|FPE|ILL|SEGV|SYS|TRAP|XCPU|XFSZ)$/;

/** The end that a line `exit` of a tape records. */
export const endOf = (line: string): ServerEnd => toServerEnd(toExit(line));

/** The end of an exit code and a signal. */
export const toServerEnd = ({ code, signal }: Pick<Exit, 'code' | 'signal'>): ServerEnd => {
  if (signal !== null) return { text: `by ${signal}`, isFailure: CRASHES.test(signal) };
  if (code === null) return { text: 'in an unknown way', isFailure: false };
  return { text: `with exit code ${code}`, isFailure: code !== 0 };
};

/** The code and the signal of an `exit` line; null for both if the line cannot be read. */
export const toExit = (line: string): Pick<Exit, 'code' | 'signal'> => {
  const { code, sig } = parseObject(line) ?? {};
  return { code: typeof code === 'number' ? code : null, signal: typeof sig === 'string' ? sig : null };
};
