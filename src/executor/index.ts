/** The door of executors: the port `Backend`, its local and remote implementations, transports of processes. */
export type { Backend, Executor, ImposedLimit, InSandbox, Process, Started } from './backend';
export { childTransport } from './childTransport';
export { environmentOf } from './environment';
export type {
  ChangeOutcome,
  FileBlock,
  FileChange,
  FileContent,
  FileFacts,
  Files,
  OpenFile,
  OpenMode,
  PatchToSettle,
} from './files';
export { type HeldFolder, type HoldFolder, inRealFolder } from './inRealFolder';
export { type Hole, isInHole } from './lag';
export { localBackend } from './local/localBackend';
export { type OpenStore, RETENTION, type Retained, retention } from './local/retention';
export { READ_ONLY, toExecSandbox } from './remote/execSandbox';
export type { ExecTransport } from './remote/execTransport';
export { overStdio } from './remote/overStdio';
export { overWebSocket } from './remote/overWebSocket';
export { type RemoteDeps, remoteBackend } from './remote/remoteBackend';
export { remoteFiles, type WholeFiles } from './remote/remoteFiles';
export { placedBackend, sandboxElsewhere } from './remote/sandboxElsewhere';
export type { StoredEvents } from './remote/sessionItems';
export {
  type FileKind,
  type FolderOutcome,
  type Network,
  type OpenSandbox,
  openSandboxes,
  type Permissions,
  type PinPath,
  permittedBackend,
  SandboxError,
  type SandboxesDeps,
  type SandboxFiles,
  type SandboxSettings,
  type SealBytes,
  type SessionSandbox,
} from './sandbox';
export type { Exit, PlacedEvent, StoredEvent, StoredItem } from './storedEvent';
export { SYSTEM_TEXTS } from './systemErrors';
export { toPath } from './toPath';
export { toUri } from './toUri';
