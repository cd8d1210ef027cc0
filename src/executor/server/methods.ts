/** Owns the table of an exec-server's methods. */
import { of } from 'rxjs';
import { type FileMethodsDeps, fileMethods } from './fileMethods';
import { type HttpMethodsDeps, httpMethods } from './httpMethods';
import { type ProcessMethodsDeps, processMethods } from './process/processMethods';
import { answer, type Method } from './said';

/** `shell` is what environment/info tells. */
export type ExecMethodsDeps = ProcessMethodsDeps &
  FileMethodsDeps &
  HttpMethodsDeps & { shell: { name: string; path: string } };

/** The methods of one session; its processes and open files end with whoever subscribed to them. */
export const execMethods = (deps: ExecMethodsDeps): Record<string, Method> => ({
  ...processMethods(deps),
  ...fileMethods(deps),
  ...httpMethods(deps),
  'environment/info': () => of(answer({ shell: deps.shell })),
});
