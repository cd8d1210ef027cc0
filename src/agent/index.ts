export { type NativeDeps, nativeAgent } from './nativeAgent';
export type { TurnDeps } from './turnDeps';
export { userInstructions } from './userInstructions';
