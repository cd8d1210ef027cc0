/** The door of the model's tools: the port `Tool`, the table, and the built-in tools. */
export { type BuiltInDeps, builtInTools } from './builtInTools';
export { toDuration } from './commandOutcome';
export type { ImageRead, ReadImage } from './image';
export { runCommand } from './runCommand';
export { firstBytes, MAX_OUTPUT_BYTES, shorten } from './shorten';
export type { ApprovalRequest, AssessedCall, Assessment, RunMode, Tool, ToolEvent, ToolRow } from './tool';
export { toRow } from './tool';
export { type ToolTable, toolTable } from './toolTable';
export { trustedEnvironment } from './trustedEnvironment';
export { trustPrograms } from './trustPrograms';
