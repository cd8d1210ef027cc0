/** The table of an exec-server's methods. */

import { checkExecParams } from '../../protocol/exec/checkExecParams';
import { RestrictionsParams } from '../../protocol/exec/paramTypes';
import { isObject } from '../../protocol/jsonrpc/json';
import { INTERNAL_ERROR, RpcError } from '../../protocol/jsonrpc/messages';
import type { Permissions } from '../sandbox/permissions';
import { type EnvironmentMethodsDeps, environmentMethods } from './environmentMethods';
import { type FileMethodsDeps, fileMethods } from './file/fileMethods';
import { type ForwardFilesDeps, forward, forwardFiles } from './forwardFiles';
import { type HttpMethodsDeps, httpMethods } from './http/httpMethods';
import { limitMethods, type MethodLimits } from './limitMethods';
import type { Method } from './method';
import { type ProcessMethodsDeps, processMethods } from './process/processMethods';
import { type PermissionsDeps, toPermissions } from './toPermissions';

/** What the methods work on. */
export type ExecMethodsDeps = ProcessMethodsDeps &
  FileMethodsDeps &
  HttpMethodsDeps &
  EnvironmentMethodsDeps &
  Pick<ConfineFilesDeps, 'insideOf'> & {
    methodLimits: MethodLimits;
    /** Carries out the methods of files if the ceiling limits them. Default: this process. */
    inside?: ForwardFilesDeps;
  };

/** The methods of one session. Unsubscribing from a request ends the process or closes the file that it opened. */
export const execMethods = (deps: ExecMethodsDeps): Record<string, Method> => {
  const ofFiles = fileMethods(deps);
  return limitMethods(deps.methodLimits)({
    ...processMethods(deps),
    ...confineFiles(
      { ...deps, tmpdir: deps.environment.TMPDIR },
      deps.inside === undefined ? ofFiles : forwardFiles(deps.inside, Object.keys(ofFiles)),
    ),
    ...httpMethods(deps),
    ...environmentMethods(deps),
  });
};

type ConfineFilesDeps = PermissionsDeps & {
  /** The server in a sandbox with these permissions. */
  insideOf: (permissions: Permissions) => ForwardFilesDeps;
};

/** These know a file by its handle, which stays open in one server. */
const BY_HANDLE = ['fs/open', 'fs/readBlock', 'fs/writeBlock', 'fs/close'];

/** The methods; one with a restricting `sandbox` runs inside. Throws RpcError if the restrictions cannot be enforced. */
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
