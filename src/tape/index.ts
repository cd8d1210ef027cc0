export { type CutLine, cutLines, toBytes } from './cutLines';
export { importSession, SOURCES, type SourceName } from './import/importSession';
export { readTape } from './readTape';
export { record } from './record';
export { recordCalls } from './recordCalls';
export { redacting, redactTape, toCounts } from './redact';
export { isOnWire, toSessions } from './sessions';
export {
  type Entry,
  INPUT_ENDED,
  type NumberedEntry,
  type Said,
  type Session,
  TAPE_VERSION,
  type Tape,
  type TapeItem,
  type Trouble,
} from './tape';
export { tapeJsonSchema } from './tapeSchema';
export { toTapeLine } from './writeTape';
