/** The door of what is recorded of turns and prompts. */
export { type RecordPromptDeps, recordPrompt } from './recordPrompt';
export { type RecordTurnDeps, recordTurn } from './recordTurn';
