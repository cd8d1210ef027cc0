/** The limits of processes, of one session and of all sessions together. */
import { defer, finalize, tap, throwError } from 'rxjs';
import { INVALID_REQUEST, RpcError } from '../../protocol/jsonrpc/messages';
import type { Backend } from '../backend';

/** Limits of one session. */
export type ProcessLimits = {
  /** How many processes may run at once. */
  maxProcesses: number;
  /** How much input may be pending for one process. */
  maxPendingBytes: number;
  /** How long a closed process stays readable, and its id taken. */
  keepMs: number;
  /** How many ids of writes are remembered per process. */
  writeIds: number;
};

/** Source: codex exec-server 0.142.0 for `keepMs` and `writeIds`; it has no limit of processes. */
export const PROCESS_LIMITS: ProcessLimits = {
  maxProcesses: 512,
  maxPendingBytes: 67_108_864,
  keepMs: 30_000,
  writeIds: 4096,
};

/** A limit over all sessions. */
type ProcessLimit = {
  /** Makes a backend share the limit. */
  limit: (backend: Backend) => Backend;
  /** How many processes run. */
  running: () => number;
};

/** Backends that share a limit: a process counts until it has closed or is unsubscribed. A start beyond it errors with RpcError. */
export const limitProcesses = (maxProcesses: number): ProcessLimit => {
  const running = new Set<object>();
  const limit = ({ start }: Backend): Backend => ({
    start: (spec) =>
      defer(() => {
        if (running.size >= maxProcesses) {
          return throwError(() => new RpcError(INVALID_REQUEST, `too many processes: ${maxProcesses} run already`));
        }
        const own = {};
        running.add(own);
        const forget = () => running.delete(own);
        return start(spec).pipe(
          tap(({ kind }) => (kind === 'closed' || kind === 'failed') && forget()),
          finalize(forget),
        );
      }),
  });
  return { limit, running: () => running.size };
};
