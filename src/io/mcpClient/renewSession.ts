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
  timeout,
} from 'rxjs';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import type { Log } from '../../protocol/log';
import { isInitialize, isInitialized } from '../mcpHttp/remedyOf';
import { cancelledBy } from './endings';
import type { McpEvent } from './failures';
import { errorIn, type FailureDeps, toFailure, toStatusText } from './failures';
import type { McpHttpClient } from './httpClient';

/** @param client has one session at a time; @param log gets a record of each new session; the others are those of BeginDeps */
export type RenewDeps = Omit<BeginDeps, 'opening' | 'client'> & { client: McpHttpClient; log: Log };

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
      return merge(sent$.pipe(sendAgain({ ready: readyFor, withdrawn$ })), cancel$); // in this order: one waits for the session then where the call does not
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

/** @param withdrawn$ emits when the message should no longer be sent */
type SendAgainDeps = { ready: Ready; withdrawn$: Observable<unknown> };

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

/**
 * @param session the id of the current session; @param begin$ begins another and completes
 * @param onBegun is called when messages can be sent in the new session, before waiting ones are, with the method of the message it began for
 */
type ReadyDeps = {
  session: () => string | undefined;
  begin$: Observable<never>;
  onBegun: (method?: string) => void;
};

/** Waits for a session to send in; if `lost` is named, for one other than that. `method` is that of the waiting message. */
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

/** @param opening the lines of the handshake, as in the first session; @param beginMs how long it may take */
type BeginDeps = FailureDeps & {
  client: Pick<McpHttpClient, 'post' | 'session'>;
  opening: readonly string[];
  beginMs: number;
};

/**
 * Sends `initialize`, which the client sends without a session, then `notifications/initialized`. Emits nothing, because the responses are
 * of no interest to a client that had those of the first session. Completes when the session can be used; errors with the reason if none begins.
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
    timeout({
      first: beginMs,
      with: () => throwError(() => none(`it did not answer within ${beginMs / 1000} s`)),
    }),
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

/** The server rejected a message because it does not know its session. The error's text is for people, who see it if that session was a new one. */
export class SessionLost extends Error {
  override name = 'SessionLost';
  constructor(
    readonly session: string,
    statusText: string,
  ) {
    super(
      `${statusText}, in a new session too; where several servers share the address, all requests of a session must reach the same one`,
    );
  }
}

/** @param name what errors call the server; @param session the session the message was sent in, if any; @param id of the request, if it is one */
type SentIn = { name: string; session: string | undefined; id?: RequestId | undefined };

/**
 * Passes the responses to a message on, and errors with SessionLost where the server rejects it because of its session.
 *   in   -n-R    -F       (R the response to the request, F status 404)
 *   out  -n-R    -#
 */
export const failWhenLost = ({ name, session, id }: SentIn): MonoTypeOperatorFunction<McpEvent> =>
  tap((event) => {
    if (session !== undefined && event.kind !== 'ended' && isRejection(event, id))
      throw new SessionLost(session, event.kind === 'log' ? event.line : toStatusText(name, event));
  });

/**
 * Source: MCP 2025-11-25, Session Management, which has only 404. 400: servers modelled on the examples of the official SDKs for TypeScript and Kotlin. A
 * response to the request itself is not a rejection, whatever its status: a server that names the request has read it, and may have carried it out.
 */
const REJECTIONS = new Set<number | undefined>([400, 404]);

const isRejection = (event: Exclude<McpEvent, { kind: 'ended' }>, id: RequestId | undefined): boolean =>
  REJECTIONS.has(event.status) && (event.kind === 'log' || !hasResponse(event.line, id));

/** Whether a line has the response to a request. */
export const hasResponse = (line: string, id: RequestId | undefined): boolean =>
  id !== undefined &&
  parseLine(line).messages.some(
    (message) => message.kind === 'response' && message.id !== null && idKey(message.id) === idKey(id),
  );
