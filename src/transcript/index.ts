export { BEFORE, BEHIND } from './align';
export { AXES, type Axis, type Chart, toChart, toPage, toPageData, toSvg, toTerminal } from './chart';
export { compare, type LaneResult } from './compare';
export { type CutLine, cutLines, toBytes } from './cutLines';
export { toDiagram, toLegend } from './diagram';
export { diffJson, inWords } from './diffJson';
export { drawComparison, drawMarbles, type Mark } from './drawMarbles';
export { type TapeMatch, tapeEngine } from './engine/tapeEngine';
export { filled, isFilledBy, type Known, withKnown } from './fit';
export { importSession, SOURCES, type SourceName } from './import/importSession';
export { inSteps } from './inSteps';
export { joinDeltas } from './joinDeltas';
export {
  ANY_ID,
  type Asked,
  answeredBy,
  idOf,
  lettersIn,
  newIds,
  toLettered,
  toUnlettered,
  withIds,
} from './letterNames';
export { MASKS, type MaskName, type Masks } from './mask';
export { NOT_RECORDED } from './miss';
export { colours, type Lane, noColours, type Paint, styleOf } from './paint';
export { pairUp } from './pairUp';
export { introductions, type Parties } from './parties';
export type { Played } from './played';
export { readTape } from './readTape';
export { record } from './record';
export { recordCalls } from './recordCalls';
export { END_KEY, type Recording, toRecording } from './recording';
export { redacting, redactTape, toCounts } from './redact';
export { type PatienceOptions, replayClient } from './replayClient';
export { type ReplayOptions, replayServer, type Speed } from './replayServer';
export { REPORTS, type ReportFormat, toReport } from './report';
export { isOnWire, toSessions } from './sessions';
export { sortOf } from './sortOf';
export type { Choice } from './spec/choose';
export { RUNNERS, type Runner, type Subject } from './spec/toSpec';
export { type WrittenSpec, writeSpec } from './spec/writeSpec';
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
export { labelOf, type Spoken, toSpoken } from './words';
export { toTapeLine } from './writeTape';
