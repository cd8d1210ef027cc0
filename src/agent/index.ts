export { type NativeDeps, nativeAgent } from './nativeAgent';
export type { TurnDeps } from './runTurn';
export { type InstructionDeps, userInstructions } from './userInstructions';
