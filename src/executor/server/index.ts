/** The door of the exec-server: it offers processes, files and HTTP of this machine to clients. */
export { authorizeConnection } from './authorizeConnection';
export type { ForwardFilesDeps } from './ceiling/forwardFiles';
export { type MethodLimits, unknownMethods } from './ceiling/limitMethods';
export type { ServerEnvironment } from './environmentMethods';
export { execMethods } from './execMethods';
export { type Ended, execServer } from './execServer';
export { type ExecSessions, execSessions } from './execSessions';
export { toChange } from './file/toChange';
export { limitProcesses } from './limitProcesses';
export { PROCESS_LIMITS } from './process/processLimits';
