/** Owns an error as the answer to a request. */
import type { ExecRequest, ExecResponse } from '../../protocol/exec';
import { INTERNAL_ERROR, RpcError, toErrorObject } from '../../protocol/jsonrpc';

/** The peer's fault in its own words; all else is ours. */
export const toRefusal = (id: ExecRequest['id'], error: unknown): ExecResponse => ({
  kind: 'response',
  id,
  error:
    error instanceof RpcError
      ? toErrorObject(error)
      : { code: INTERNAL_ERROR, message: error instanceof Error ? error.message : String(error) },
});
