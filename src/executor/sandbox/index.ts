export { mayWrite } from './mayWrite';
export { type OpenSandbox, openSandboxes, type SandboxesDeps, type SessionSandbox } from './openSandboxes';
export type { Permissions } from './permissions';
export { permittedBackend } from './permittedBackend';
export type { SandboxSettings } from './pinRoots';
export type { Network } from './sandbox';

export type { FileKind, FolderOutcome, SandboxFiles } from './sandboxFiles';

export type { PinPath, SealBytes } from './wrapper';
