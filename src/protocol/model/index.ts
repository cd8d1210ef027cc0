export { isModelDelta, type ModelDelta, type ModelEvent, type TokenUsage } from './events';
export type { ContentPart, CustomToolCall, FunctionCall, ResponseItem, ToolCallItem } from './items';
export { type AnswerLimits, type Model, ModelError, type Tried } from './model';
export { type Provider, WIRE_APIS } from './provider';
export type { ModelRequest, ToolSpec } from './request';
