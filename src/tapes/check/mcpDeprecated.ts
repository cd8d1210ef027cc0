/** Features of MCP that a revision deprecates: a later revision may remove them. */
import { isObject, type JsonObject, toObject } from '../../protocol/jsonrpc/json';
import { META_LOG_LEVEL, META_VERSION, MODERN_VERSION } from '../../protocol/mcp/mcp';
import type { IndexedMessage } from '../session/sessionIndex';
import type { MessageRules } from './finding';

/** Finds each feature once in a session. */
export const deprecated = (): MessageRules => {
  const found = new Set<string>();
  let isModern = false;
  return (one) => {
    const { message } = one;
    const params = 'params' in message ? toObject(message.params) : {};
    isModern ||= META_VERSION in toObject(params._meta);
    const fresh = featuresOf(one, params, isModern).filter((feature) => !found.has(feature));
    for (const feature of fresh) found.add(feature);
    return fresh.map((feature) => ({ rule: 'deprecated', text: `${feature} is deprecated` }));
  };
};

/** Source: 2026-07-28 changelog (logging, roots, sampling); 2025-11-25 schema (includeContext, enumNames). */
const featuresOf = ({ message }: IndexedMessage, params: JsonObject, isModern: boolean): string[] => {
  const method = 'method' in message ? message.method : '';
  const result = message.kind === 'response' ? toObject(message.body.result) : {};
  const asked = Object.values(toObject(result.inputRequests)).map((one) => toObject(one).method);
  const isLogging = method === 'notifications/message' || META_LOG_LEVEL in toObject(params._meta);
  const ofModern = [
    ...(isLogging ? ['logging'] : []),
    ...(asked.includes('roots/list') ? ['roots/list'] : []),
    ...(asked.includes('sampling/createMessage') ? ['sampling/createMessage'] : []),
  ];
  const { includeContext } = params;
  return [
    ...(isModern ? ofModern.map((feature) => `${feature} in revision ${MODERN_VERSION}`) : []),
    ...(method === 'sampling/createMessage' && typeof includeContext === 'string' && includeContext !== 'none'
      ? [`includeContext ${JSON.stringify(includeContext)}`]
      : []),
    ...(method === 'elicitation/create' && hasEnumNames(params) ? ['enumNames'] : []),
  ];
};

const hasEnumNames = ({ requestedSchema }: JsonObject): boolean =>
  Object.values(toObject(toObject(requestedSchema).properties)).some((one) => isObject(one) && 'enumNames' in one);
