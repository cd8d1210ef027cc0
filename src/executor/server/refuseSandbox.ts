/** Restrictions that this exec-server cannot keep. */
import { INTERNAL_ERROR, isObject, RpcError } from '../../protocol/jsonrpc';

/** How a client wants a process, or access to files, to be restricted. */
export type Restrictions = { sandbox?: { permissions?: unknown } | null; enforceManagedNetwork?: boolean | null };

/** Throws RpcError for a restriction: one that cannot be kept is refused, not ignored. */
export const refuseSandbox = ({ sandbox, enforceManagedNetwork }: Restrictions): void => {
  const type = isObject(sandbox?.permissions) ? sandbox.permissions.type : undefined;
  const isOpen = sandbox === undefined || sandbox === null || type === 'disabled' || type === 'external';
  if (!isOpen || enforceManagedNetwork) {
    throw new RpcError(INTERNAL_ERROR, 'sandboxed execution is not supported by this exec-server');
  }
};
