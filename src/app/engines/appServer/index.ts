/** The door of the engine in front of an installed Codex, which is loaded when it is chosen. */
export { appServerEngine } from './appServerEngine';
