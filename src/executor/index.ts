export type { Backend, Process, Started } from './backend';
export { type ChildTransportDeps, childTransport } from './childTransport';
export { dropSeen } from './dropSeen';
export { type EnvironmentPolicy, environmentOf } from './environment';
export type { FileBlock, FileEntry, FileFacts, Files, OpenFile, OpenMode } from './files';
export { inOrder } from './inOrder';
export { LAGGED, type Lagged } from './lagged';
export { type LocalDeps, localBackend } from './local/localBackend';
export { RETENTION, type Retained, type RetentionLimits, retention } from './local/retention';
export { type ProcessTransportDeps, processTransport } from './processTransport';
export { type RecoverDeps, recoverLag } from './recoverLag';
export type { ExecTransport } from './remote/execTransport';
export { type OverStdioDeps, overStdio } from './remote/overStdio';
export { type OverWebSocketDeps, overWebSocket } from './remote/overWebSocket';
export { type RemoteDeps, remoteBackend } from './remote/remoteBackend';
export {
  type Carved,
  type Ceiling,
  checkSandbox,
  type EnterDeps,
  type Entered,
  enterSandbox,
  type FileKind,
  type FindWrapperDeps,
  type FoundWrapper,
  findWrapper,
  type Hidden,
  type KeepBytes,
  limitPermissions,
  type Made,
  type Network,
  type OpenSandbox,
  openSandboxes,
  type Permissions,
  type Permit,
  type PermittedDeps,
  permittedBackend,
  pinPermissions,
  pinRoots,
  type Readiness,
  type Roots,
  type Sandbox,
  type SandboxBackendDeps,
  SandboxError,
  type SandboxesDeps,
  type SandboxFiles,
  type SandboxMaker,
  type SandboxMakerDeps,
  type SandboxSettings,
  type SessionSandbox,
  sandboxBackend,
  sandboxMaker,
  seccompFilter,
  type Wrapped,
  type Wrapper,
  wrapForSandbox,
} from './sandbox';
export { type AuthorizeDeps, authorizeVisit } from './server/authorizeVisit';
export type { Surroundings } from './server/environmentMethods';
export { type ExecMethodsDeps, execMethods } from './server/execMethods';
export { type Ended, type ExecServerDeps, execServer } from './server/execServer';
export { type ExecSessions, type ExecSessionsDeps, execSessions } from './server/execSessions';
export { limitProcesses } from './server/limitProcesses';
export { PROCESS_LIMITS, type ProcessLimits } from './server/process/processLimits';
export { TransportError } from './transportError';
