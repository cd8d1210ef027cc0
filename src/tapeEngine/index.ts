/** The door of the engine that plays turns from a tape. */
export type { TapeMatch } from './matchTurns';
export { tapeEngine } from './tapeEngine';
