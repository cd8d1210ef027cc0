/** The door of tapes: their files, and the processes they are recorded from and verified against. */

export type { ForkOutput } from './forkLine';
export { isHttpUrl, problemOfHttp, readHttpAddress } from './httpAddress';
export { loadMasks } from './loadMasks';
export { checkWhole, type LoadDeps, loadSession } from './loadTape';
export { openSteps } from './openSteps';
export { type OpenTape, openTape } from './openTape';
export { playClientHalf } from './playClientHalf';
export { startChecking } from './startChecking';
export { startDrawing } from './startDrawing';
export { startForking } from './startForking';
export { startImporting } from './startImporting';
export { startRecording } from './startRecording';
export { type HttpRecordingDeps, startRecordingHttp } from './startRecordingHttp';
export { startRedacting } from './startRedacting';
export { startServing, type TapeChoice } from './startServing';
export { startServingHttp } from './startServingHttp';
export { type Shrunk, startShrinking } from './startShrinking';
export { startVerifying } from './startVerifying';
export { startWritingSpec } from './startWritingSpec';
export { TapeError } from './tapeError';
