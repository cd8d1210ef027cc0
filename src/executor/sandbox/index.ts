/** The door of sandboxes: what a process may read and write, and the backend that runs it so. */
export { mayWrite } from './mayWrite';
export { type OpenSandbox, openSandboxes, type SandboxesDeps, type SessionSandbox } from './openSandboxes';
export type { Permissions } from './permissions';
export { permittedBackend } from './permittedBackend';
export type { SandboxSettings } from './pinRoots';
export { type Network, SandboxError } from './sandbox';

export type { FileKind, FolderOutcome, SandboxFiles } from './sandboxFiles';

export type { PinPath, SealBytes } from './wrapper';
