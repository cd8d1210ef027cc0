/** The door of tapes: files and processes around the room transcript. */
export { type OpenTape, openTape, type TapeDeps } from './openTape';
export { startRecording } from './startRecording';
