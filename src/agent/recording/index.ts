/** The door of recording: what is stored of turns and prompts. */
export { type RecordPromptDeps, recordPrompt } from './recordPrompt';
export { type RecordTurnDeps, recordTurn } from './recordTurn';
