/** The table of an exec-server's methods. */

import { type EnvironmentMethodsDeps, environmentMethods } from './environmentMethods';
import { type ConfineFilesDeps, confineFiles } from './file/confineFiles';
import { type FileMethodsDeps, fileMethods } from './file/fileMethods';
import { type ForwardFilesDeps, forwardFiles } from './forwardFiles';
import { type HttpMethodsDeps, httpMethods } from './http/httpMethods';
import { limitMethods, type MethodLimits } from './limitMethods';
import type { Method } from './method';
import { type ProcessMethodsDeps, processMethods } from './process/processMethods';

/** @param inside carries out the methods of files where the ceiling limits them; default: this process */
export type ExecMethodsDeps = ProcessMethodsDeps &
  FileMethodsDeps &
  HttpMethodsDeps &
  EnvironmentMethodsDeps &
  Pick<ConfineFilesDeps, 'insideOf'> & { methodLimits: MethodLimits; inside?: ForwardFilesDeps };

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
