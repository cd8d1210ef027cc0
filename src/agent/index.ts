export { type NativeDeps, nativeAgent } from './nativeAgent';
export type { OpenWorkspace, Workspace } from './thread';
export { userInstructions } from './thread';
