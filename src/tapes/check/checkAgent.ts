/** Checks a session with an agent against the Agent Client Protocol, version 1: the shapes of its messages, and what follows what. */
import { PARAMS, RESULTS, type Shape } from '../../protocol/acp/shapes';
import { faultsOf } from '../../protocol/jsonrpc/checkParams';
import { isObject, type JsonObject, toObject } from '../../protocol/jsonrpc/json';
import type { IndexedMessage, SessionIndex } from '../session/sessionIndex';
import { type Protocol, protocolFault, requestOf } from './finding';

/** A session of another version is not checked. */
export const ACP: Protocol = {
  speaks: ({ parties }) => parties.protocol === 'ACP 1',
  rules: () => (one, index) => protocolFault(...ALL.map((rule) => rule(index, one))),
};

/** A rule: what is wrong with a message, undefined if nothing is. */
type Rule = (index: SessionIndex, one: IndexedMessage) => string | undefined;

const methodOf = (one: IndexedMessage | undefined): string =>
  one !== undefined && 'method' in one.message ? one.message.method : '';

const paramsOf = (one: IndexedMessage | undefined): JsonObject =>
  one !== undefined && 'params' in one.message ? toObject(one.message.params) : {};

const resultOf = ({ message }: IndexedMessage): unknown =>
  message.kind === 'response' ? message.body.result : undefined;

const checkShape: Rule = (index, one) => {
  const { message } = one;
  if (message.kind === 'response')
    return 'result' in message.body
      ? faultIn(RESULTS[methodOf(requestOf(one, index))], resultOf(one), 'result')
      : undefined;
  return 'params' in message ? faultIn(PARAMS[message.method], message.params ?? {}, 'params') : undefined;
};

const faultIn = (shape: Shape | undefined, value: unknown, root: string): string | undefined => {
  const { error } = shape?.().safeParse(value) ?? {};
  return error && faultsOf(error, root);
};

/** What the other side must have declared before a method may be called. Source: Agent Client Protocol 1, initialization. */
const CAPABILITIES: Readonly<Record<string, string>> = {
  'session/load': 'loadSession',
  'session/list': 'sessionCapabilities.list',
  'session/resume': 'sessionCapabilities.resume',
  'session/close': 'sessionCapabilities.close',
  'session/delete': 'sessionCapabilities.delete',
  logout: 'auth.logout',
  'fs/read_text_file': 'fs.readTextFile',
  'fs/write_text_file': 'fs.writeTextFile',
  'terminal/create': 'terminal',
  'elicitation/create': 'elicitation',
};

const checkCapability: Rule = ({ messages, calls }, one) => {
  const path = one.message.kind === 'request' ? CAPABILITIES[one.message.method] : undefined;
  if (path === undefined) return undefined;
  const call = calls.find(({ request }) => methodOf(messages[request]) === 'initialize');
  const [asked, answered] = [messages[call?.request ?? -1], messages[call?.response ?? -1]];
  const declared =
    one.from === 'server'
      ? paramsOf(asked).clientCapabilities
      : toObject(answered && resultOf(answered)).agentCapabilities;
  const found = path.split('.').reduce<unknown>((part, name) => toObject(part)[name], declared);
  return found === true || isObject(found)
    ? undefined
    : `the ${one.from === 'server' ? 'client' : 'agent'} did not declare ${path}`;
};

/** A client learns of a session from a response, so an update must not come before it. */
const checkSessionId: Rule = (_, { from, message, owner }) =>
  from === 'server' && message.kind !== 'response' && owner === undefined && 'params' in message
    ? unknownSession(toObject(message.params).sessionId)
    : undefined;

const unknownSession = (id: unknown): string | undefined =>
  typeof id === 'string' ? 'the client does not know this session yet' : undefined;

const checkPermission: Rule = (index, one) => {
  const request = requestOf(one, index);
  const { optionId } = toObject(toObject(resultOf(one)).outcome);
  if (methodOf(request) !== 'session/request_permission' || optionId === undefined) return undefined;
  const { options } = paramsOf(request);
  const isOffered = Array.isArray(options) && options.some((option) => toObject(option).optionId === optionId);
  return isOffered ? undefined : `the option ${JSON.stringify(optionId)} was not offered`;
};

/** How a prompt ends: a cancelled prompt by its stop reason, another with no tool call left running. */
const checkPromptEnd: Rule = (index, one) => {
  const request = requestOf(one, index);
  if (methodOf(request) !== 'session/prompt' || request === undefined) return undefined;
  const isFailed = one.message.kind === 'response' && 'error' in one.message.body;
  if (isFailed)
    return index.calls[one.owner ?? -1]?.cancel === undefined
      ? undefined
      : 'a cancelled prompt must have the stop reason cancelled, not an error';
  if (toObject(resultOf(one)).stopReason === 'cancelled') return undefined;
  const running = runningTools(index, request.index, one.index);
  return running.length === 0 ? undefined : `the turn ended, but these tool calls did not: ${running.join(', ')}`;
};

/** The tool calls of a prompt whose last status says that they run. */
const runningTools = ({ messages }: SessionIndex, from: number, to: number): string[] => {
  const owner = messages[from]?.call;
  const statuses = new Map<string, unknown>();
  for (const one of messages.slice(from, to)) {
    const { toolCallId, status, sessionUpdate } = toObject(paramsOf(one).update);
    if (one.owner !== owner || typeof toolCallId !== 'string') continue;
    const before = sessionUpdate === 'tool_call' ? 'pending' : statuses.get(toolCallId);
    statuses.set(toolCallId, status ?? before);
  }
  return [...statuses].flatMap(([id, status]) => (status === 'pending' || status === 'in_progress' ? [id] : []));
};

const ALL: readonly Rule[] = [checkShape, checkCapability, checkSessionId, checkPermission, checkPromptEnd];
