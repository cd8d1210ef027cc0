export { isModelDelta, type ModelDelta, type ModelEvent, type TokenUsage } from './events';
export type { ContentPart, FunctionCall, ResponseItem, ToolCallItem } from './items';
export { type Model, ModelError } from './model';
export { type Provider, WIRE_APIS } from './provider';
export type { ModelRequest, ToolSpec } from './request';
