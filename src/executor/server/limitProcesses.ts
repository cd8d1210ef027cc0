/** The limit of processes over all sessions of a server. */
import { defer, finalize, tap, throwError } from 'rxjs';
import { INVALID_REQUEST, RpcError } from '../../protocol/jsonrpc/messages';
import type { Backend } from '../backend';

/** A limit of processes. */
export type ProcessLimit = {
  /** Makes a backend share the limit. */
  limit: (backend: Backend) => Backend;
  /** How many processes run. */
  running: () => number;
};

/**
 * Backends that share a limit: a process counts from its start until it has closed or is unsubscribed. The start of one too many
 * errors with RpcError, which is the response to the request.
 */
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
