/** The program that keeps a sandbox, bubblewrap or sandbox-exec: whether it is there, and how a process is wrapped in it. */
export { type FindWrapperDeps, type FoundWrapper, findWrapper } from './findWrapper';
export { type PinPath, type SealBytes, type Wrapped, wrapForSandbox } from './wrapForSandbox';
