/** A client of an MCP server over HTTP whose session is renewed when the server no longer knows it, for example after a restart. */
import { defer, EMPTY, filter, merge, Subject, tap } from 'rxjs';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import type { Log } from '../../protocol/log';
import { isInitialize, isInitialized } from '../mcpHttp/isInitialize';
import { type BeginDeps, beginSession } from './beginSession';
import { cancelledBy } from './cancelledBy';
import type { McpHttpClient } from './httpClient';
import type { McpEvent } from './mcpEvent';
import { readySession } from './readySession';
import { sendAgain } from './sendAgain';
import { failWhenLost } from './sessionLost';

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
