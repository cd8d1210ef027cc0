/** A client of an MCP server behind a URL: its lines are posted in order, and the server's lines come back. */
import {
  AsyncSubject,
  concat,
  concatMap,
  connect,
  defer,
  EMPTY,
  endWith,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeAll,
  type Observable,
  type OperatorFunction,
  of,
  startWith,
  switchMap,
  take,
  takeUntil,
  takeWhile,
  tap,
  timer,
} from 'rxjs';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { inputFirst } from '../../streams/time/limits';
import type { HttpClientDeps } from './clientStreams';
import { cancelledBy } from './endings';
import type { McpEvent } from './failures';
import { httpClient, type McpHttpClient } from './httpClient';

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

/**
 * Uses the older of the two transports if the server accepts no message at its address. What follows a line that is not a request
 * is sent once that line was accepted; see postLines. When the lines end and the server has gone silent, the session is ended. Completes then, or
 * with `ended`.
 *   in   a----b|         (a, b requests)
 *   out  ---A---Bn---|   (A, B responses, n a notification)
 */
export const dialMcp =
  (deps: HttpClientDeps): OperatorFunction<string, McpEvent> =>
  (line$) =>
    defer(() => {
      const client = httpClient(deps);
      const event$ = line$.pipe(
        connect((shared$) => {
          const posted$ = shared$.pipe(postLines(client));
          return merge(client.stream$, posted$.pipe(endWith<ClientEvent>({ kind: 'posted' }))).pipe(
            untilQuiet(shared$),
          );
        }),
        takeWhile(({ kind }) => kind !== 'ended', true),
      );
      return concat(event$, client.end());
    });

/** How long after the last response the stream of a session may be silent before the session ends, in ms. */
const QUIET_MS = 250;
/** The same if a response does not end, such as a subscription's. */
const IDLE_MS = 2_000;

/** An event; `posted`: all responses to what the client sent have ended. */
export type ClientEvent = McpEvent | { kind: 'posted' };

/**
 * Completes when the client's lines have ended and the server has been silent for long enough.
 * @param line$ the lines of the client
 *   line$  --|
 *   in     --r---p--n-
 *   out    --r------n 249ms |     (r a response, p posted, n a notification)
 */
export const untilQuiet =
  (line$: Observable<string>): OperatorFunction<ClientEvent, McpEvent> =>
  (item$) =>
    item$.pipe(
      connect((shared$) => {
        const quiet$ = shared$.pipe(
          filter(({ kind }) => kind === 'posted'),
          switchMap(() => timer(QUIET_MS, inputFirst)),
        );
        const idle$ = line$.pipe(
          ignoreElements(),
          endWith(true),
          switchMap(() =>
            shared$.pipe(
              startWith(undefined),
              switchMap(() => timer(IDLE_MS, inputFirst)),
              take(1),
            ),
          ),
        );
        return shared$.pipe(
          filter((item): item is McpEvent => item.kind !== 'posted'),
          takeUntil(merge(quiet$, idle$)),
        );
      }),
    );
