/** An exec-server in the sandbox, which carries out the methods of files for an exec-server with a ceiling. */
import { join } from 'node:path';
import {
  dematerialize,
  exhaustMap,
  map,
  materialize,
  merge,
  type Observable,
  ReplaySubject,
  Subject,
  share,
  switchMap,
  timeout,
  timer,
} from 'rxjs';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import type { ExecMethod } from '../../protocol/exec/checkExecParams';
import { decodeBareMessage } from '../../protocol/jsonrpc/decodeMessage';
import type { Log } from '../../protocol/log';
import { handshake, openPeer } from '../../protocol/rpc/openPeer';
import type { Peer } from '../../protocol/rpc/peer';
import { muted } from '../../streams/ends';
import { inputFirst } from '../../streams/time/limits';
import type { Backend } from '../backend';
import { childTransport } from '../processTransport';
import type { ForwardFilesDeps } from '../server/forwardFiles';

type FilesInsideDeps = {
  /** Runs processes in the sandbox. */
  backend: Backend;
  processInfo: ProcessInfo;
  log: Log;
};

const LIMITS = {
  idleMs: 30_000,
  limitsMs: { 'fs/copy': 600_000, 'fs/remove': 600_000 } satisfies { [M in ExecMethod]?: number }, // of whole folders
  /**
   * A patch of 1,000 files takes some 2 s, and later patches wait for it. A server that is stopped, or whose disk hangs, is ended. The start counts too: some
   * 0.3 s, and 12 s where 120 programs run on two processors. This program as a client waits no longer either: `ANSWER_MS` of `remoteBackend`.
   */
  usualMs: 60_000,
  /** One second each for the end of its input and for SIGTERM, and some for SIGKILL. */
  goneMs: 3_000,
};

/** A server that starts with the first request. A request emits its result; it errors with RpcError, the loss of the server, or NoAnswer. */
export const filesInside = (deps: FilesInsideDeps): Pick<ForwardFilesDeps, 'request' | 'alive$'> => {
  const params = { clientName: 'codex-rx', resumeSessionId: null };
  const peer$ = openPeer({ transport: transportOf(deps), name: 'the server of files in the sandbox' }).pipe(
    handshake({ params, ready: 'initialized' }),
    map(({ peer }) => peer),
  );
  return sharedServer({ ...LIMITS, peer$ });
};

/** A Codex home without journals: in the sandbox other processes are invisible, and their patches would be rolled back. */
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

type SharedServerDeps = {
  /** Starts the server, emits it once it is ready, and ends it when unsubscribed. */
  peer$: Observable<Pick<Peer, 'request'>>;
  /** How long it stays without a request. */
  idleMs: number;
  /** How long methods may take, by name. */
  limitsMs: Readonly<Record<string, number>>;
  /** How long any other method may take. */
  usualMs: number;
  /** How long the server needs to end at most. */
  goneMs: number;
};

/** A server was ended because it did not answer a method within its limit. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  constructor(method: string, limitMs: number) {
    super(
      `the server of files in the sandbox did not answer ${method} within ${limitMs / 1000} s and was ended; see whether the disk answers, then try again`,
    );
  }
}

/**
 * A request emits its result and completes. It errors with RpcError, with the loss of the server, or with NoAnswer once the server is surely gone and works
 * on nothing any more. Other requests to that server error at once then, and the next request starts another server.
 *   peer$  --P----------      (ended at the limit)
 *   out    -------------#     (limit, then the time it needs to end)
 */
export const sharedServer = (deps: SharedServerDeps): Pick<ForwardFilesDeps, 'request' | 'alive$'> => {
  const silent$ = new Subject<Error>(); // the wire from a request without a response to the server
  const peer$ = merge(deps.peer$, silent$.pipe(map(fail))).pipe(
    share({
      connector: () => new ReplaySubject<Pick<Peer, 'request'>>(1),
      resetOnRefCountZero: () => timer(deps.idleMs),
    }),
  );
  return {
    request: (method, params) => {
      const result$ = peer$.pipe(
        exhaustMap((peer) => peer.request(method, params).pipe(materialize())),
        dematerialize(), // the end of the request is the end of its hold on the server
      );
      const limitMs = deps.limitsMs[method] ?? deps.usualMs;
      return result$.pipe(
        timeout({
          first: limitMs,
          scheduler: inputFirst,
          with: () => ended(silent$, new NoAnswer(method, limitMs), deps),
        }),
      );
    },
    alive$: peer$.pipe(
      muted(), // the next request gets the error
    ),
  };
};

const fail = (error: Error): never => {
  throw error;
};

const ended = (
  silent$: Subject<Error>,
  error: Error,
  { goneMs }: Pick<SharedServerDeps, 'goneMs'>,
): Observable<never> => {
  silent$.next(error);
  return timer(goneMs).pipe(switchMap(() => fail(error)));
};
