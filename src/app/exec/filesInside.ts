/** An exec-server in the sandbox, which carries out the methods of files for one that has a ceiling. */
import { join } from 'node:path';
import {
  catchError,
  dematerialize,
  EMPTY,
  exhaustMap,
  ignoreElements,
  map,
  materialize,
  ReplaySubject,
  share,
  timer,
} from 'rxjs';
import { type Backend, childTransport, type ForwardFilesDeps } from '../../executor';
import type { Log } from '../../log';
import { decodeBareMessage } from '../../protocol/jsonrpc';
import { handshake, openPeer, type Peer } from '../../rpc';
import type { ProcessInfo } from '../processInfo';

/** @param backend runs processes in the sandbox */
export type FilesInsideDeps = { backend: Backend; processInfo: ProcessInfo; log: Log };

/** How long it stays when nothing is asked of it. */
const IDLE_MS = 30_000;
const INITIALIZE_MS = 10_000;

/** A server that starts with the first request. A request emits its result; it errors with RpcError, or the loss of the server. */
export const filesInside = (deps: FilesInsideDeps): Pick<ForwardFilesDeps, 'request' | 'alive$'> => {
  const params = { clientName: 'codex-rx', resumeSessionId: null };
  const peer$ = openPeer({ transport: transportOf(deps), name: 'the server of files in the sandbox' }).pipe(
    handshake({ params, ready: 'initialized', deadlineMs: INITIALIZE_MS }),
    map(({ peer }): Peer => peer),
    share({ connector: () => new ReplaySubject<Peer>(1), resetOnRefCountZero: () => timer(IDLE_MS) }),
  );
  return {
    request: (method, given) =>
      peer$.pipe(
        exhaustMap((peer) => peer.request(method, given).pipe(materialize())),
        dematerialize(), // the end of the request is the end of its hold on the server
      ),
    alive$: peer$.pipe(
      ignoreElements(),
      catchError(() => EMPTY), // the next request gets the error
    ),
  };
};

/** No notes of other processes are there: in the sandbox they seem to be gone, and their patches would be taken back. */
const NOWHERE = '/proc/self/none';

const transportOf = ({ backend, processInfo: { node, dist, env }, log }: FilesInsideDeps) =>
  childTransport({
    backend,
    command: [node, join(dist, '../bin/codex-rx.js'), 'exec-server'],
    cwd: '/',
    env: { PATH: env.PATH ?? '', CODEX_HOME: NOWHERE },
    log,
    title: 'The server of files in the sandbox',
    program: 'exec-server in the sandbox',
    decode: decodeBareMessage,
  });
