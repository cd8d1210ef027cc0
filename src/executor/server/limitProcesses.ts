/** Owns how many processes all sessions of a server may run at once. */
import { defer, finalize, tap, throwError } from 'rxjs';
import { INVALID_REQUEST, RpcError } from '../../protocol/jsonrpc';
import type { Backend } from '../backend';

/**
 * Backends that share `seats`: one for each process from its start until it closed or is left. The start of one too many
 * is refused, which is the answer to the request.
 */
export const limitProcesses = (seats: number): ((backend: Backend) => Backend) => {
  const taken = new Set<object>();
  return ({ start }) => ({
    start: (spec) =>
      defer(() => {
        if (taken.size >= seats) {
          return throwError(() => new RpcError(INVALID_REQUEST, `too many processes: ${seats} run already`));
        }
        const seat = {};
        taken.add(seat);
        const leave = () => taken.delete(seat);
        return start(spec).pipe(
          tap(({ kind }) => (kind === 'closed' || kind === 'failed') && leave()),
          finalize(leave),
        );
      }),
  });
};
