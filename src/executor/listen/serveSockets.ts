/** The exec-server that listens for WebSockets: many connections, one table of sessions. */
import type { Writable } from 'node:stream';
import { map, merge, mergeMap, type Observable, of, takeUntil, takeWhile } from 'rxjs';
import { type Caller, listenSocket } from '../../io/sockets/listenSocket';
import type { ListenAddress } from '../../io/sockets/listenUnix';
import { isOwnUser } from '../../io/sockets/ownUser';
import type { Frame } from '../../io/sockets/socket';
import { writeLines } from '../../io/stdio/writeLines';
import { decodeExecRequest, type ExecOutgoing, encodeExecMessage } from '../../protocol/exec/codec';
import type { Log } from '../../protocol/log';
import { authorizeConnection } from '../server/authorizeConnection';
import { type Ended, execServer } from '../server/execServer';
import type { ExecSessions } from '../server/execSessions';
import { MAX_INPUT_QUEUE_BYTES, MAX_MESSAGE_BYTES, MAX_SOURCE_QUEUE_BYTES } from './limits';
import { openSessions, type SessionsDeps, type SessionsOptions } from './openSessions';
import { isSameToken } from './token';

export type ServeSocketsDeps = SessionsDeps & { stdout: Writable };

/**
 * @param token that clients must send; without it only processes of this user can connect
 * @param allowOtherUsers without a token, any user of this machine can connect
 */
export type ServeSocketsOptions = SessionsOptions &
  ListenAddress & { maxConnections: number; token?: string; allowOtherUsers?: boolean };

/** Source: codex exec-server 0.142.0. */
const PING_MS = 30_000;

/** 1002 is a protocol error, 1008 what is refused for another reason. */
const CLOSES: Record<Ended['why'], Frame> = {
  broken: { kind: 'close', code: 1002, reason: 'the client broke the protocol' },
  replaced: { kind: 'close', code: 1008, reason: 'session has been resumed by another connection' },
};
const GOING_AWAY: Frame = { kind: 'close', code: 1001, reason: 'the exec-server ends' };

/**
 * The exec-server at an address, which it prints on stdout as one line. Completes after `stop$` has emitted and every
 * connection has closed; all processes are killed. Errors when it cannot listen. Emits nothing.
 */
export const serveSockets = (deps: ServeSocketsDeps, options: ServeSocketsOptions): Observable<never> => {
  const { stop$, stdout, log } = deps;
  const { host, port, token, allowOtherUsers, maxConnections } = options;
  const sessions = openSessions(deps, options);
  return listenSocket({
    host,
    port,
    authorize: authorizeConnection({
      isToken: token === undefined ? undefined : isSameToken(token),
      isOwnUser: allowOtherUsers ? () => true : isOwnUser,
    }),
    maxSockets: maxConnections,
    maxMessageBytes: MAX_MESSAGE_BYTES,
    pingMs: PING_MS,
  }).pipe(
    takeUntil(stop$),
    mergeMap((event) =>
      event.kind === 'bound'
        ? of(event.url).pipe(writeLines(stdout))
        : serveCaller({ sessions, stop$, log }, event.caller),
    ),
  );
};

type CallerDeps = { sessions: ExecSessions; stop$: Observable<unknown>; log: Log };

const serveCaller = ({ sessions, stop$, log }: CallerDeps, caller: Caller): Observable<never> => {
  const served$ = caller.text$(caller.queue(MAX_INPUT_QUEUE_BYTES)).pipe(
    map(decodeExecRequest),
    execServer({
      sessions,
      backpressure: caller.queue(MAX_SOURCE_QUEUE_BYTES),
      isAlive: caller.isThere,
      source: `websocket JSON-RPC message from exec-server websocket ${caller.address}`,
      log,
    }),
    map(toFrame),
  );
  return merge(served$, stop$.pipe(map(() => GOING_AWAY))).pipe(
    takeWhile(({ kind }) => kind === 'text', true),
    caller.write,
  );
};

const toFrame = (item: ExecOutgoing | Ended): Frame =>
  item.kind === 'ended' ? CLOSES[item.why] : { kind: 'text', text: encodeExecMessage(item) };
