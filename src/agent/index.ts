export { type NativeDeps, nativeAgent } from './nativeAgent';
export type { TurnDeps } from './turnDeps';
export { userInstructions } from './userInstructions';
export type { OpenWorkspace, Workspace } from './workspace';
