export { type TapeMatch, tapeEngine } from './tapeEngine';
