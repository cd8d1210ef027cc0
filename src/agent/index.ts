export { type NativeDeps, nativeAgent } from './nativeAgent';
export { type InstructionDeps, userInstructions } from './userInstructions';
