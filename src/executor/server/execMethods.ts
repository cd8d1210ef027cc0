/** The table of an exec-server's methods. */
import { type EnvironmentMethodsDeps, environmentMethods } from './environmentMethods';
import { type FileMethodsDeps, fileMethods } from './file/fileMethods';
import { type HttpMethodsDeps, httpMethods } from './http/httpMethods';
import type { Method } from './method';
import { type ProcessMethodsDeps, processMethods } from './process/processMethods';

export type ExecMethodsDeps = ProcessMethodsDeps & FileMethodsDeps & HttpMethodsDeps & EnvironmentMethodsDeps;

/** The methods of one session. Unsubscribing from a request ends the process or closes the file that it opened. */
export const execMethods = (deps: ExecMethodsDeps): Record<string, Method> => ({
  ...processMethods(deps),
  ...fileMethods(deps),
  ...httpMethods(deps),
  ...environmentMethods(deps),
});
