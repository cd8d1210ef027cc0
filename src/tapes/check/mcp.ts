/** What the Model Context Protocol rules, in its revisions: the handshake, what both sides declare, the shapes of results, progress and request state. */
import { isObject, type JsonObject, toObject } from '../../protocol/jsonrpc/json';
import { labelOf } from '../../protocol/jsonrpc/parseLine';
import { META_LOG_LEVEL, META_VERSION, MODERN_VERSION } from '../../protocol/mcp/mcp';
import { isCancel } from '../session/pairCalls';
import type { IndexedMessage } from '../session/sessionIndex';
import { isFromStart, type MessageRules, type Protocol, protocolFault, recent, requestOf } from './finding';
import { handshake, ids, isModern, progress, tokens } from './mcpOrder';
import { results } from './mcpResults';

/** A session is of MCP by its handshake, by the metadata of a request, or by a method of its own. */
export const MCP: Protocol = {
  speaks: ({ messages }) => messages.some((one) => one.from === 'client' && isOfMcp(one)),
  rules: () => {
    const all = [
      ...[envelope, ids(), handshake(), results(), tokens(), progress()],
      ...[cancels(), cursors(), requestStates(), deprecated()],
    ];
    return (one, index) => (one.message.kind === 'other' ? [] : all.flatMap((rules) => rules(one, index)));
  },
};

const isOfMcp = ({ message }: IndexedMessage): boolean => {
  if (message.kind !== 'request') return false;
  const { method, params } = message;
  if (method === 'initialize') return typeof toObject(params).protocolVersion === 'string';
  return /^(?:tools|prompts|resources)\/|^server\/discover$/.test(method) || isModern(params);
};

/** What each message has, whatever it is about. */
const envelope: MessageRules = ({ message, value }) => {
  const { jsonrpc, id, params, result, error } = toObject(value);
  const faults = [
    jsonrpc === '2.0' ? undefined : `its jsonrpc is ${JSON.stringify(jsonrpc) ?? 'missing'}; it must be "2.0"`,
    id === null && (message.kind === 'notification' || result !== undefined) ? 'its id is null' : undefined,
    typeof id === 'number' && !Number.isInteger(id) ? `its id ${id} is no whole number` : undefined,
    params === undefined || isObject(params) ? undefined : 'its params must be an object',
    message.kind === 'notification' && message.method === 'notifications/message'
      ? logFault(toObject(params))
      : undefined,
  ];
  if (message.kind !== 'response') return protocolFault(...faults);
  const hasError = error !== undefined;
  const isWhole = isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string';
  return protocolFault(
    ...faults,
    hasError && result !== undefined ? 'it has a result and an error' : undefined,
    hasError && !isWhole ? 'its error must have a whole number as code, and a text as message' : undefined,
  );
};

/** A response that crosses a cancel on its way is right; this long after it, it is late. */
const LATE_MS = 1_000;

const LEVELS: readonly unknown[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

const logFault = ({ level, data }: JsonObject): string | undefined => {
  if (data === undefined) return 'it has no data';
  return LEVELS.includes(level) ? undefined : `its level is ${JSON.stringify(level) ?? 'missing'}, not one of RFC 5424`;
};

/** Nobody cancels the handshake, and nobody responds to a request that was cancelled. */
const cancels = (): MessageRules => (one, index) => {
  const request = index.messages[index.calls[one.owner ?? -1]?.request ?? -1];
  if (isCancel(one.message) && labelOf(request?.message) === 'initialize')
    return protocolFault('initialize must not be cancelled');
  const cancel = index.messages[index.calls[one.owner ?? -1]?.cancel ?? -1];
  if (cancel === undefined || requestOf(one, index) === undefined) return [];
  const lateMs = Math.round(one.t - cancel.t);
  return protocolFault(
    lateMs > LATE_MS ? `it comes ${lateMs} ms after its request was cancelled in line ${cancel.lineNumber}` : undefined,
  );
};

/** A client asks for the next page by the cursor that the server issued for it. */
const cursors = (): MessageRules => {
  const issued = recent<true>();
  return ({ message }, index) => {
    if (message.kind === 'response') {
      const { nextCursor } = toObject(message.body.result);
      if (typeof nextCursor === 'string') issued.set(nextCursor, true);
    }
    if (message.kind !== 'request' || !message.method.endsWith('/list')) return [];
    const { cursor } = toObject(message.params);
    const isKnown = typeof cursor !== 'string' || issued.get(cursor) !== undefined || !isFromStart(index.meta);
    return protocolFault(isKnown ? undefined : 'the server did not issue its cursor');
  };
};

/** A client sends the request state back as the server issued it. */
const requestStates = (): MessageRules => {
  const issued = new Set<unknown>();
  const expected = new Map<string, { state: unknown; lineNumber: number }>();
  return (one, index) => {
    const { message, lineNumber } = one;
    const request = requestOf(one, index);
    const result = message.kind === 'response' ? toObject(message.body.result) : {};
    if (request && result.resultType === 'input_required') {
      issued.add(result.requestState);
      expected.set(labelOf(request.message), { state: result.requestState, lineNumber });
    }
    if (message.kind !== 'request') return [];
    const { requestState, inputResponses } = toObject(message.params);
    if (requestState !== undefined)
      return protocolFault(issued.has(requestState) ? undefined : 'the server did not issue its requestState');
    const last = expected.get(labelOf(message));
    return protocolFault(
      inputResponses !== undefined && last?.state !== undefined
        ? `it lacks the requestState of line ${last.lineNumber}`
        : undefined,
    );
  };
};

/** Finds each feature once in a session. */
const deprecated = (): MessageRules => {
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
