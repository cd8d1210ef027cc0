export { type OpenSandbox, openSandboxes, type SessionSandbox } from './openSandboxes';
export type { SandboxSettings } from './pinRoots';
export type { Network } from './sandbox';

export type { FileKind, Made, SandboxFiles } from './sandboxFiles';

export type { KeepBytes } from './wrapForSandbox';
