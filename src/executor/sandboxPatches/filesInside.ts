/** An exec-server in the sandbox, which carries out the methods of files for one that has a ceiling. */
import { join } from 'node:path';
import { map } from 'rxjs';
import type { ProcessInfo } from '../../io/serverProcess/serverProcess';
import { decodeBareMessage } from '../../protocol/jsonrpc/decodeMessage';
import type { Log } from '../../protocol/log';
import { handshake, openPeer } from '../../protocol/rpc/openPeer';
import type { Backend } from '../backend';
import { childTransport } from '../childTransport';
import type { ForwardFilesDeps } from '../server/forwardFiles';
import { sharedServer } from './sharedServer';

/** @param backend runs processes in the sandbox */
export type FilesInsideDeps = { backend: Backend; processInfo: ProcessInfo; log: Log };

const LIMITS = {
  idleMs: 30_000,
  /** A patch of 1,000 files takes some 2 s, and keeps those after it waiting. A server that is stopped, or whose disk hangs, is ended. */
  limitsMs: { 'environment/info': 20_000, 'fs/copy': 600_000, 'fs/remove': 600_000 }, // of whole folders
  usualMs: 60_000,
  /** One second each for the end of its input and for SIGTERM, and some for SIGKILL. */
  goneMs: 3_000,
};
const INITIALIZE_MS = 10_000;

/** A server that starts with the first request. A request emits its result; it errors with RpcError, the loss of the server, or NoAnswer. */
export const filesInside = (deps: FilesInsideDeps): Pick<ForwardFilesDeps, 'request' | 'alive$'> => {
  const params = { clientName: 'codex-rx', resumeSessionId: null };
  const peer$ = openPeer({ transport: transportOf(deps), name: 'the server of files in the sandbox' }).pipe(
    handshake({ params, ready: 'initialized', deadlineMs: INITIALIZE_MS }),
    map(({ peer }) => peer),
  );
  return sharedServer({ ...LIMITS, peer$ });
};

/** A Codex home without journals: in the sandbox other processes seem to be gone, and their patches would be rolled back. */
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
