export { type NativeDeps, nativeAgent } from './nativeAgent';
export { userInstructions } from './userInstructions';
export type { OpenWorkspace, Workspace } from './workspace';
