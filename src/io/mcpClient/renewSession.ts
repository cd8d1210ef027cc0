/** A client of an MCP server over HTTP whose session is renewed when the server no longer knows it, for example after a restart. */
import {
  catchError,
  concat,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  type MonoTypeOperatorFunction,
  merge,
  type Observable,
  of,
  retry,
  Subject,
  share,
  switchMap,
  takeUntil,
  takeWhile,
  tap,
  throwError,
} from 'rxjs';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import type { Log } from '../../protocol/log';
import { failIfLate } from '../../streams/time/limits';
import { isInitialize, isInitialized } from '../mcpHttp/exchange';
import { cancelledBy } from './endings';
import {
  errorIn,
  type FailureDeps,
  failWhenLost,
  hasResponse,
  type McpEvent,
  SessionLost,
  toFailure,
  toStatusText,
} from './failures';
import type { McpHttpClient } from './httpClient';

type RenewDeps = Omit<BeginDeps, 'opening' | 'client'> & {
  /** Has one session at a time. */
  client: McpHttpClient;
  /** Gets a record of each new session. */
  log: Log;
};

/** The new session may be with another server, which has other tools. */
const TOOLS_CHANGED: McpEvent = {
  kind: 'line',
  line: '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}',
};

/** A new session that begins for this request needs no such notification: asking again in each new one would never end if every other session is lost. */
const LIST = 'tools/list';

/**
 * Sends a request or a notification once more if the server rejected it because of its session, in a new session that all such messages share; what
 * is posted meanwhile waits for that session. If the message is rejected again, or no session begins, `ended` says why. A request that is cancelled
 * while it waits is not sent. What the server accepted is not sent again, nor is a response: it answers a request of the lost session.
 *   post c   c-F    c-C     (c a call, F rejected for its session, C its response)
 *   begin       --|
 *   out      ---------C
 *   stream$  -----T         (T notifications/tools/list_changed)
 * Source: MCP 2025-11-25, Session Management.
 */
export const renewSession = ({ client, ...deps }: RenewDeps): McpHttpClient => {
  const changed$ = new Subject<McpEvent>(); // the wire from a new session to the stream
  const cancelled$ = new Subject<unknown>(); // the wire from cancellations to the requests that wait for a session
  let opening: readonly string[] = []; // the handshake
  const begin$ = defer(() => beginLogged(deps, { client, opening }));
  const onBegun = (method?: string): void => void (method === LIST || changed$.next(TOOLS_CHANGED));
  const ready = readySession({ ...client, begin$, onBegun });
  return {
    ...client,
    stream$: merge(client.stream$, changed$),
    post: (line) => {
      if (isInitialize(line)) opening = [line];
      if (isInitialized(line)) opening = [...opening.slice(0, 1), line];
      const message = renewable(line);
      if (message === undefined) return client.post(line);
      const { id, method } = message;
      const readyFor = (lost?: string) => ready(lost, method);
      const sent$ = defer(() =>
        client.post(line).pipe(failWhenLost({ name: deps.name, session: client.session(), id })),
      );
      const withdrawn$ = cancelled$.pipe(filter((cancelled) => id !== undefined && cancelled === id));
      const cancel$ = defer(() => {
        cancelled$.next(cancelledBy(message));
        return EMPTY;
      });
      return merge(sent$.pipe(sendAgain({ ready: readyFor, withdrawn$ })), cancel$); // in this order: the cancellation waits for the session too
    },
  };
};

const beginLogged = ({ log, ...deps }: Omit<RenewDeps, 'client'>, session: Pick<BeginDeps, 'client' | 'opening'>) =>
  beginSession({ ...deps, ...session }).pipe(
    tap({
      complete: () => log('info', 'a session with an MCP server was lost, and a new one began', { server: deps.name }),
    }),
  );

type Sendable = { id?: RequestId; method: string; params: unknown };

/** The message, if it may be sent in a session other than its own: not the handshake, and not a response. */
const renewable = (line: string): Sendable | undefined => {
  const [message] = parseLine(line).messages;
  const isSendable = message?.kind === 'request' || message?.kind === 'notification';
  return isSendable && !isInitialize(line) && !isInitialized(line) ? message : undefined;
};

type SendAgainDeps = {
  ready: Ready;
  /** Emits when the message should no longer be sent. */
  withdrawn$: Observable<unknown>;
};

/**
 * Subscribes to the source, which sends the message, when there is a session, and once more in another session if it errors with SessionLost. Completes
 * with the response; without one if the message is withdrawn while it waits. Never errors: `ended` says why it cannot be sent.
 *   in     -#  -R|       (# SessionLost, R the response)
 *   ready  t  -t
 *   out    ---R|
 */
export const sendAgain =
  ({ ready, withdrawn$ }: SendAgainDeps): MonoTypeOperatorFunction<McpEvent> =>
  (event$) => {
    const delay = (error: Error): Observable<unknown> =>
      error instanceof SessionLost ? ready(error.session).pipe(takeUntil(withdrawn$)) : throwError(() => error);
    return ready().pipe(
      takeUntil(withdrawn$),
      switchMap(() => event$.pipe(retry({ count: 1, delay }))),
      catchError(({ message: trouble }: Error) => of<McpEvent>({ kind: 'ended', trouble })),
    );
  };

type ReadyDeps = {
  /** The id of the current session. */
  session: () => string | undefined;
  /** Begins another and completes. */
  begin$: Observable<never>;
  /** Is called when messages can be sent in the new session, before waiting messages are sent, with the method of the message it began for. */
  onBegun: (method?: string) => void;
};

/** Waits for a session to send in; if `lost` is named, for another session. `method` is the method of the waiting message. */
type Ready = (lost?: string, method?: string) => Observable<true>;

/**
 * Emits once there is a session, and completes; at once if none is beginning. A new one begins for the first caller that names the current session as
 * lost, and is shared by all who wait. Errors if it cannot begin; the next caller then tries again. It is given up when all who wait unsubscribe.
 *   begin$      ---|
 *   ready('s')  ---(t|)     (s the current session, r an earlier one, t true)
 *   ready('r')  (t|)
 */
export const readySession = ({ session, begin$, onBegun }: ReadyDeps): Ready => {
  let beginning$: Observable<never> | undefined; // while a session begins
  const settle = (): void => {
    beginning$ = undefined;
  };
  const shared$ = (method?: string) =>
    begin$.pipe(tap({ complete: settle, error: settle }), tap({ complete: () => onBegun(method) }), share());
  return (lost, method) =>
    defer(() => {
      if (lost !== undefined && lost === session()) beginning$ ??= shared$(method);
      return concat(beginning$ ?? EMPTY, of(true as const));
    });
};

type BeginDeps = FailureDeps & {
  client: Pick<McpHttpClient, 'post' | 'session'>;
  /** The lines of the handshake, as in the first session. */
  opening: readonly string[];
  /** How long it may take. */
  beginMs: number;
};

/**
 * Sends `initialize`, which the client sends without a session, then `notifications/initialized`. Emits nothing, because the responses are
 * of no interest to a client that had the messages of the first session. Completes when the session can be used; errors with the reason if none begins.
 *   post i  -I         (I the response to initialize)
 *   post r    -|
 *   out     ---|
 */
export const beginSession = ({ client, opening, beginMs, ...failure }: BeginDeps): Observable<never> => {
  const none = (reason: string): Error =>
    new Error(`${failure.name} no longer knows the session, and no new one could be started: ${reason}`);
  const checked = tap((event: McpEvent) => {
    const reason = reasonIn(failure, event);
    if (reason !== undefined) throw none(reason);
  });
  const posted = (line: string): Observable<McpEvent> =>
    defer(() => {
      const id = requestIn(line);
      const session = id === undefined ? client.session() : undefined; // initialize is sent in none
      const isOpen = (event: McpEvent) => id === undefined || event.kind !== 'line' || !hasResponse(event.line, id);
      return client.post(line).pipe(failWhenLost({ name: failure.name, session }), checked, takeWhile(isOpen, true));
    });
  return concat(...opening.map(posted)).pipe(
    ignoreElements(),
    failIfLate(beginMs, () => none(`it did not answer within ${beginMs / 1000} s`)),
  );
};

/** Why the server does not continue the handshake. */
const reasonIn = (failure: FailureDeps, event: McpEvent): string | undefined => {
  const reason = toFailure(failure, event);
  if (reason !== undefined || event.kind === 'ended') return reason;
  if (event.kind === 'log') return event.line;
  return event.status === undefined ? errorIn(event.line) : toStatusText(failure.name, event);
};

const requestIn = (line: string): RequestId | undefined => {
  const [message] = parseLine(line).messages;
  return message?.kind === 'request' ? message.id : undefined;
};
