/** The lines of a client of MCP over HTTP, in order. */
import {
  AsyncSubject,
  concat,
  concatMap,
  defer,
  EMPTY,
  finalize,
  map,
  mergeAll,
  type Observable,
  type OperatorFunction,
  of,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { inputFirst } from '../../streams/time/limits';
import { cancelledBy } from './endings';
import type { McpEvent } from './failures';
import type { McpHttpClient } from './httpClient';

/** How long, in ms, the next line waits for a server that does not respond to a notification. */
const ACCEPT_MS = 5_000;
/** How long, in ms, that response is waited for: each one keeps a connection open. */
const LISTEN_MS = 60_000;

/**
 * Sends each line and emits the responses to it. What follows a notification or a response is sent once the server has accepted that, or 5 s
 * later; after 60 s its response is no longer read. Nothing waits for a cancellation, and a request that is cancelled while it waits is not sent.
 *   in   -a-n-b----     (a, b requests, n a notification that takes 3 frames)
 *   post -a-n--b---
 *   out  ---A----B-
 */
export const postLines =
  ({ post }: Pick<McpHttpClient, 'post'>): OperatorFunction<string, McpEvent> =>
  (line$) =>
    defer(() => {
      const { arrive, isLeftOut } = withdrawals();
      const sent = (waiting: WaitingLine): Observable<Observable<McpEvent>> => {
        if (isLeftOut(waiting)) return EMPTY;
        const event$ = post(waiting.line);
        if (waiting.isRequest) return of(event$);
        const read$ = event$.pipe(takeUntil(timer(LISTEN_MS, inputFirst)));
        return waiting.cancels === undefined ? accepted(read$) : of(read$);
      };
      return line$.pipe(map(toWaiting), tap(arrive), concatMap(sent), mergeAll());
    });

/** Emits the response, which is subscribed to at once, and completes when the next line may be sent. */
const accepted = (response$: Observable<McpEvent>): Observable<Observable<McpEvent>> =>
  defer(() => {
    const over$ = new AsyncSubject<never>(); // the wire from the end of the response to the next line
    const read$ = response$.pipe(finalize(() => over$.complete()));
    return concat(of(read$), over$.pipe(takeUntil(timer(ACCEPT_MS, inputFirst))));
  });

/** A line that waits to be sent; a batch has neither `id` nor `cancels`. */
type WaitingLine = {
  line: string;
  isRequest: boolean;
  /** The id of the request. */
  id?: RequestId;
  /** The id of the request that it cancels. */
  cancels?: RequestId;
};

/** Reads what of a line decides when it is sent. */
export const toWaiting = (line: string): WaitingLine => {
  const { messages } = parseLine(line);
  const isRequest = messages.some(({ kind }) => kind === 'request');
  const [message, ...others] = messages;
  if (others.length > 0) return { line, isRequest };
  if (message?.kind === 'request') return { line, isRequest, id: message.id };
  const cancels = message?.kind === 'notification' ? cancelledBy(message) : undefined;
  return { line, isRequest, ...(cancels !== undefined && { cancels }) };
};

type Withdrawals = {
  /** Takes each line when it comes. */
  arrive: (line: WaitingLine) => void;
  /** Takes each line again when it would be sent, in the same order; true if it should not be sent any more. */
  isLeftOut: (line: WaitingLine) => boolean;
};

/** Leaves out a request that was cancelled before its turn, and its cancellation: it must have no effect any more. */
export const withdrawals = (): Withdrawals => {
  const cancelled = new Set<string>(); // the requests whose cancellation waits for its turn
  return {
    arrive: ({ cancels }) => void (cancels !== undefined && cancelled.add(idKey(cancels))),
    isLeftOut: ({ id, cancels }) => {
      if (id !== undefined) return cancelled.delete(idKey(id));
      return cancels !== undefined && !cancelled.delete(idKey(cancels));
    },
  };
};
