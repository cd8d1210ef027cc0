/** One connection to an exec-server: the handshake, for a new session or to resume one. */
import { catchError, map, type Observable, of, switchMap, tap, throwError } from 'rxjs';
import { InitializeResult } from '../../protocol/exec/results';
import { checkResult } from '../../protocol/jsonrpc/checkParams';
import { INVALID_PARAMS, RpcError } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import { handshake, openPeer } from '../../protocol/rpc/openPeer';
import type { Peer } from '../../protocol/rpc/peer';
import type { ExecTransport } from './execTransport';

/** The name of the peer in error texts. */
export const EXEC_SERVER = 'the exec-server';

/** A connection that can be used. */
export type Connection = {
  peer: Peer;
  sessionId: string | null;
  /** Its session was there before, so notifications may have been missed. */
  isResumed: boolean;
  /** The server recognises a repeated write by its id. */
  knowsWrites: boolean;
};

/** How a connection is made. */
export type ConnectionDeps = {
  transport: ExecTransport;
  clientName: string;
  newId: () => number;
  /** How long the server may take to respond to `initialize`, from when it can be sent messages. */
  initializeMs: number;
  log: Log;
};

/**
 * Connects and does the handshake, resuming the session of the previous connection. Emits the connection once it can be used.
 * Errors when it is lost, or the server refuses.
 *   transport  ---I--o---|     (I the response to initialize, o a notification)
 *   out        ---C------#
 * Source: codex 0.142.0 exec-server client; the check whether writes are known is ours.
 */
export const openConnection = (
  deps: ConnectionDeps,
  previous: Pick<Connection, 'sessionId'> | undefined,
): Observable<Connection> => {
  const { transport, clientName, newId, initializeMs: deadlineMs, log } = deps;
  const resumeSessionId = previous?.sessionId ?? null;
  const logged: ExecTransport = (out$) =>
    out$.pipe(
      transport,
      tap((message) => {
        if (message.kind === 'fault')
          log('warning', 'the exec-server sent a line that is not a message', { reason: message.message });
      }),
    );
  return openPeer({ transport: logged, name: EXEC_SERVER, newId }).pipe(
    handshake({ params: { clientName, resumeSessionId }, ready: 'initialized', deadlineMs }),
    switchMap(({ peer, result }) =>
      of(result).pipe(
        checkResult(InitializeResult, `${EXEC_SERVER}'s result of initialize`),
        switchMap(({ sessionId }) =>
          resumeSessionId === null
            ? of({ peer, sessionId, isResumed: false, knowsWrites: false })
            : knowsWrites(peer).pipe(map((knows) => ({ peer, sessionId, isResumed: true, knowsWrites: knows }))),
        ),
      ),
    ),
  );
};

/** A server that knows writes by their ids refuses an empty id; no process has the id ''. Source: codex exec-server 0.142.0 and 0.169.0; 0.130.0 has no ids. */
const knowsWrites = (peer: Peer): Observable<boolean> =>
  peer.request('process/write', { processId: '', chunk: '', writeId: '' }).pipe(
    map(() => false),
    catchError((error) => (error instanceof RpcError ? of(error.code === INVALID_PARAMS) : throwError(() => error))),
  );
