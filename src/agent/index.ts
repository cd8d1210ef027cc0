/** The door of the native engine: threads, answers of the model, compaction, turns and what is recorded of them. */
export { type NativeDeps, nativeAgent } from './nativeAgent';
export type { OpenWorkspace, Workspace } from './thread';
export { userInstructions } from './thread';
