/** The door of tapes: the file of a recorded session, how it is read, written, recorded, redacted and imported. */
export { CHANCE_SEAM, type Chance, recordChance } from './chance';
export { cutLines } from './cutLines';
export { importSession, SOURCES, type SourceName } from './import/importSession';
export { listNatsTapes, removeNatsTape, type TapeOnNats } from './nats/listNatsTapes';
export { openNatsTape } from './nats/openNatsTape';
export { followNatsTape, readNatsTape } from './nats/readNatsTape';
export { readTape } from './readTape';
export { record } from './record';
export { recordCalls, type SeamDeps } from './recordCalls';
export { redactionBuffer } from './redactionBuffer';
export { countKinds, redactor, redactTape } from './redactTape';
export { isOnWire, toSessions } from './sessions';
export {
  type Entry,
  INPUT_ENDED,
  type LineProblem,
  type LinesTape,
  type NumberedEntry,
  OUTPUT_CLOSED,
  type RecordedLine,
  type RecordedLines,
  type Session,
  SIGNAL_NOTE,
  TAPE_VERSION,
  type Tape,
  type TapeItem,
} from './tape';
export type { TapeFile } from './tapeFile';
export { isTimerSeam, timerSeam } from './timerSeam';
export { toTapeLine } from './toTapeLine';
export { toTapeLines } from './toTapeLines';
export { toTexts } from './toTexts';
export { framingOf, toRecorded } from './withLength';
