export { AXES, type Axis, type Chart, toChart, toPage, toPageData, toSvg, toTerminal } from './chart';
export { compare, type LaneResult } from './compare';
export { type CutLine, cutLines, toBytes } from './cutLines';
export { toDiagram, toLegend } from './diagram';
export { MASKS, type MaskName, type Masks } from './mask';
export { NOT_RECORDED } from './miss';
export { colours, type Lane, noColours, type Paint, styleOf } from './paint';
export type { Played } from './played';
export { readTape } from './readTape';
export { record } from './record';
export { recordCalls } from './recordCalls';
export { type Recording, toRecording } from './recording';
export { redacting, redactTape, toCounts } from './redact';
export { type PatienceOptions, replayClient } from './replayClient';
export { type ReplayOptions, replayServer, type Speed } from './replayServer';
export { REPORTS, type ReportFormat, toReport } from './report';
export { isOnWire, toSessions } from './sessions';
export { toStats } from './stats';
export { toStatsTable } from './statsTable';
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
