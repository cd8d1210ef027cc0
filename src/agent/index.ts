export { type NativeDeps, nativeAgent } from './nativeAgent';
export type { TurnDeps } from './turnDeps';
export { type InstructionDeps, userInstructions } from './userInstructions';
