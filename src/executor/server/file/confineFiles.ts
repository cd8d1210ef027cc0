/** Access to files that a client restricts: an exec-server in a sandbox with these restrictions carries it out. */
import { checkExecParams } from '../../../protocol/exec/checkExecParams';
import { RestrictionsParams } from '../../../protocol/exec/paramTypes';
import { isObject } from '../../../protocol/jsonrpc/json';
import { INTERNAL_ERROR, RpcError } from '../../../protocol/jsonrpc/messages';
import type { Permissions } from '../../sandbox/permissions';
import { type ForwardFilesDeps, forward } from '../forwardFiles';
import type { Method } from '../method';
import { type PermissionsDeps, toPermissions } from '../toPermissions';

/** @param insideOf the server in a sandbox with these permissions */
export type ConfineFilesDeps = PermissionsDeps & { insideOf: (permissions: Permissions) => ForwardFilesDeps };

/** These know a file by its handle, which stays open in one server. */
const BY_HANDLE = ['fs/open', 'fs/readBlock', 'fs/writeBlock', 'fs/close'];

/** The methods; one with a restricting `sandbox` runs inside. Throws RpcError where the restrictions cannot be enforced. */
export const confineFiles = (deps: ConfineFilesDeps, methods: Record<string, Method>): Record<string, Method> =>
  Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, confined(deps, name, method)]));

const confined =
  (deps: ConfineFilesDeps, name: string, method: Method): Method =>
  (params) => {
    if (!isObject(params)) return method(params);
    const permissions = toPermissions(deps, checkExecParams(RestrictionsParams(), params));
    const { sandbox: _, ...rest } = params;
    if (permissions === undefined) return method(rest);
    if (BY_HANDLE.includes(name)) {
      throw new RpcError(INTERNAL_ERROR, `this exec-server does not support ${name} in a sandbox; read whole files`);
    }
    return forward(deps.insideOf(permissions), name)(rest);
  };
