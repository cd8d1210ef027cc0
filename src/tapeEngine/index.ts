export type { TapeMatch } from './matchTurns';
export { tapeEngine } from './tapeEngine';
