/** The door of requests to models, and the events of their answers. */
export { isModelDelta, type ModelDelta, type ModelEvent, type TokenUsage } from './events';
export type { ContentPart, LocalShellCall, ResponseItem, ToolCallItem } from './items';
export { type Model, ModelError } from './model';
export { type Provider, WIRE_APIS } from './provider';
export type { FunctionSpec, ModelRequest, ToolSpec } from './request';
