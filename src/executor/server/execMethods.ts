/** Owns the table of an exec-server's methods. */
import { type EnvironmentMethodsDeps, environmentMethods } from './environmentMethods';
import type { Method } from './execMethod';
import { type FileMethodsDeps, fileMethods } from './file/fileMethods';
import { type HttpMethodsDeps, httpMethods } from './httpMethods';
import { type ProcessMethodsDeps, processMethods } from './process/processMethods';

export type ExecMethodsDeps = ProcessMethodsDeps & FileMethodsDeps & HttpMethodsDeps & EnvironmentMethodsDeps;

/** The methods of one session; its processes and open files end with whoever subscribed to them. */
export const execMethods = (deps: ExecMethodsDeps): Record<string, Method> => ({
  ...processMethods(deps),
  ...fileMethods(deps),
  ...httpMethods(deps),
  ...environmentMethods(deps),
});
