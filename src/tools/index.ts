export { type BuiltInDeps, builtInTools } from './builtInTools';
export { toDuration } from './commandOutcome';
export type { CommandRun } from './commandRun';
export type { ImageRead, ReadImage } from './image';
export type { PatchDeps } from './patchCalls';
export { type RunDeps, runCommand } from './runCommand';
export { shorten } from './shorten';
export type {
  ApprovalRequest,
  AssessedCall,
  Assessment,
  RunMode,
  Tool,
  ToolCall,
  ToolEvent,
  ToolRow,
} from './tool';
export { toRow } from './tool';
export { type ToolTable, toolTable } from './toolTable';
