/** The door of turns: those that answer the user, and those that summarize a conversation. */
export { compactThread } from './compactThread';
export { keepUnfinished } from './keepUnfinished';
export { configured, type InputTurn, runTurn } from './runTurn';
