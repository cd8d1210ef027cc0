/** Owns one connection of the exec-server as an operator from messages to messages: the handshake, and its end. */
import { connect, endWith, last, map, merge, mergeMap, type OperatorFunction, of, takeUntil, takeWhile } from 'rxjs';
import type { Log } from '../../log';
import type { ExecMessage, ExecOutgoing } from '../../protocol/exec';
import { ofKind, scanInTurn } from '../../streams';
import { type At, admit } from './admit';
import type { ClientConnection } from './clientConnection';
import type { ExecSessions } from './execSessions';
import { yieldAfterStarts } from './yieldAfterStarts';

/**
 * `backpressure` is that of the queue to the client, `isAlive` whether that is still there: where it must be, as on stdio, it
 * need not be told. `source` names the transport where a message cannot be read.
 */
export type ExecServerDeps = Omit<ClientConnection, 'isAlive'> &
  Partial<ClientConnection> & { sessions: ExecSessions; source: string; log: Log };

/** The connection ends, and that is not the client's doing, or not what it may do. */
export type Ended = { kind: 'ended'; why: 'broken' | 'replaced' };

/**
 * One connection. Requests are answered as they are done, so none waits for another; what a process does is told in the
 * order of `seq`, after the answer to its start, and from the answer on in a session that was resumed. Completes at the
 * end of the messages, and with `ended` when the client broke the protocol or another connection resumed its session.
 *   in   i-n-s----r--k---|     (i initialize, n initialized, s start, r a long poll, k terminate)
 *   out  I---S-oo----Kx(zR)
 * Source: codex exec-server 0.142.0, run over stdio and WebSocket.
 */
export const execServer =
  (deps: ExecServerDeps): OperatorFunction<ExecMessage, ExecOutgoing | Ended> =>
  (message$) =>
    message$.pipe(
      scanInTurn<ExecMessage, At>((at, message) => admit(deps, at, message), { phase: 'new', act: { kind: 'none' } }),
      map(({ act }) => act),
      yieldAfterStarts(STARTS_IN_ONE_TURN),
      takeWhile(({ kind }) => kind !== 'end', true),
      connect((act$) =>
        merge(
          act$.pipe(
            ofKind('end'),
            map(() => BROKEN),
          ),
          act$.pipe(
            ofKind('reply'),
            map(({ reply }) => reply),
          ),
          act$.pipe(
            ofKind('enter'),
            mergeMap(({ session, reply }) =>
              merge(
                of(reply),
                act$.pipe(
                  ofKind('run'),
                  map(({ request }) => request),
                  session.attach({ isAlive: () => of(true), ...deps }),
                  endWith(REPLACED),
                ),
              ),
            ),
            takeUntil(act$.pipe(last(null, null))),
          ),
        ),
      ),
      takeWhile(({ kind }) => kind !== 'ended', true),
    );

/** What others can wait for: some 30 ms. */
const STARTS_IN_ONE_TURN = 8;

const BROKEN: Ended = { kind: 'ended', why: 'broken' };
const REPLACED: Ended = { kind: 'ended', why: 'replaced' };
