export { type Carved, checkSandbox, type EnterDeps, type Entered, enterSandbox } from './enterSandbox';
export { type FindWrapperDeps, type FoundWrapper, findWrapper } from './findWrapper';
export {
  type OpenSandbox,
  openSandboxes,
  type Readiness,
  type SandboxesDeps,
  type SessionSandbox,
} from './openSandboxes';
export { type Ceiling, limitPermissions, type Permissions, pinPermissions } from './permissions';
export { type Permit, type PermittedDeps, permittedBackend } from './permittedBackend';
export { pinRoots, type Roots, type SandboxSettings } from './pinRoots';
export { type Hidden, type Network, type Sandbox, SandboxError } from './sandbox';
export { type SandboxBackendDeps, sandboxBackend } from './sandboxBackend';
export type { FileKind, Made, SandboxFiles } from './sandboxFiles';
export { type SandboxMaker, type SandboxMakerDeps, sandboxMaker } from './sandboxMaker';
export { seccompFilter } from './seccompFilter';
export { type KeepBytes, type Wrapped, type Wrapper, wrapForSandbox } from './wrapForSandbox';
