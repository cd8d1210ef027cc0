export { type NativeDeps, nativeAgent } from './nativeAgent';
export type { TurnDeps } from './runTurn';
export { userInstructions } from './userInstructions';
