/** Reads the params of requests. zod is a third of what a server would load before its first response, so it is loaded for the first params that need it. */
import { lazy } from '../../streams/lazy';
import { isObject, type JsonObject } from '../jsonrpc/json';

const schemas = lazy(() => require('./params') as typeof import('./params'));
const checks = lazy(() => require('../jsonrpc/checkParams') as typeof import('../jsonrpc/checkParams'));

/** The params of `initialize`. */
type Handshake = {
  protocolVersion: string;
  capabilities: JsonObject;
  clientInfo: JsonObject & { name: string; version: string };
};

/** Throws RpcError -32602, as each of these functions does. */
export const readInitialize = (params: JsonObject): Handshake =>
  isHandshake(params) ? params : checks().checkParams(schemas().InitializeParams(), params);

/** What the schema accepts; it also names what is wrong with all else. */
const isHandshake = (params: JsonObject): params is JsonObject & Handshake => {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string' || !isObject(capabilities) || !isObject(clientInfo)) return false;
  return typeof clientInfo.name === 'string' && typeof clientInfo.version === 'string';
};

/** Throws for a cursor: there is one page. */
export const refuseCursor = (params: JsonObject): void => {
  if ('cursor' in params) checks().checkParams(schemas().ListParams(), params);
};

/** The params of `logging/setLevel`. */
export const readLevel = (params: JsonObject) => checks().checkParams(schemas().SetLevelParams(), params).level;

/** The notifications that the params of `subscriptions/listen` ask for. */
export const readListen = (params: JsonObject) => checks().checkParams(schemas().ListenParams(), params).notifications;

/** The id in the params of `tasks/get` and `tasks/cancel`. */
export const readTaskId = (params: JsonObject): string => checks().checkParams(schemas().TaskParams(), params).taskId;

/** The params of `tasks/update`. */
export const readTaskUpdate = (params: JsonObject) => checks().checkParams(schemas().UpdateTaskParams(), params);

/** The params of `prompts/get`. */
export const readPromptParams = (params: JsonObject) => checks().checkParams(schemas().PromptParams(), params);

/** The URI in the params of `resources/read`. */
export const readUri = (params: JsonObject): string => checks().checkParams(schemas().ResourceParams(), params).uri;

/** The params of `completion/complete`. */
export const readComplete = (params: JsonObject) => checks().checkParams(schemas().CompleteParams(), params);
