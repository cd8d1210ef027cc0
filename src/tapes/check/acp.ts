/** What the Agent Client Protocol rules, version 1: the shapes of messages, what both sides declare, sessions, permissions, and how a prompt ends. */
import { CANCEL_REQUEST, REQUEST_CANCELLED } from '../../protocol/acp/acp';
import { PARAMS, RESULTS, type Shape } from '../../protocol/acp/shapes';
import { faultsOf } from '../../protocol/jsonrpc/checkParams';
import { isObject, type JsonObject, ownOf, toObject } from '../../protocol/jsonrpc/json';
import type { IndexedMessage } from '../session/sessionIndex';
import { type MessageRules, type Protocol, protocolFault, recent, requestOf } from './finding';

/** What ACP rules, each made once for a session. */
export const ACP_RULES = {
  shapes: () => shapes,
  capabilities: () => capabilities(),
  sessions: () => sessions(),
  permissions: () => permissions,
  terminals: () => terminals(),
  promptEnds: () => promptEnds(),
} satisfies Record<string, () => MessageRules>;

/** A session is of version 1 by its handshake. No other version has a published schema. */
export const ACP: Protocol = {
  speaks: ({ parties }) => parties.protocol === 'ACP 1',
  rules: () => {
    const all = Object.values(ACP_RULES).map((make) => make());
    return (one, index) => all.flatMap((rules) => rules(one, index));
  },
};

const methodOf = (one: IndexedMessage | undefined): string =>
  one !== undefined && 'method' in one.message ? one.message.method : '';

const paramsOf = (one: IndexedMessage | undefined): JsonObject =>
  one !== undefined && 'params' in one.message ? toObject(one.message.params) : {};

const resultOf = ({ message }: IndexedMessage): unknown =>
  message.kind === 'response' ? message.body.result : undefined;

const shapes: MessageRules = (one, index) => {
  const { message } = one;
  if (message.kind !== 'response')
    return protocolFault(
      'params' in message ? faultIn(ownOf(PARAMS, message.method), message.params ?? {}, 'params') : undefined,
    );
  const shape = 'result' in message.body ? ownOf(RESULTS, methodOf(requestOf(one, index))) : undefined;
  return protocolFault(faultIn(shape, message.body.result, 'result'));
};

const faultIn = (shape: Shape | undefined, value: unknown, root: string): string | undefined => {
  const { error } = shape?.().safeParse(value) ?? {};
  return error && faultsOf(error, root);
};

/** What the other side must have declared before a method is called. */
const NEEDS: Readonly<Record<string, string>> = {
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

const capabilities = (): MessageRules => {
  let [client, agent]: unknown[] = [];
  return (one, index) => {
    const [method, asked] = [methodOf(one), methodOf(requestOf(one, index))];
    if (method === 'initialize') client = paramsOf(one).clientCapabilities;
    if (asked === 'initialize') agent = toObject(resultOf(one)).agentCapabilities;
    const path = one.message.kind === 'request' ? ownOf(NEEDS, method) : undefined;
    if (path === undefined) return [];
    const [other, declared] = one.from === 'server' ? ['client', client] : ['agent', agent];
    const found = path.split('.').reduce((part, name) => toObject(part)[name], declared);
    return protocolFault(found === true || isObject(found) ? undefined : `the ${other} did not declare ${path}`);
  };
};

/** A client learns of a session from a response, and an agent from a request. */
const sessions = (): MessageRules => {
  const known = recent<true>();
  const learn = (holder: unknown): void => {
    const { sessionId } = toObject(holder);
    if (typeof sessionId === 'string') known.set(sessionId, true);
  };
  return (one) => {
    const { message, from } = one;
    if (message.kind === 'response' || from === 'client') {
      learn(message.kind === 'response' ? resultOf(one) : paramsOf(one));
      return [];
    }
    const { sessionId } = paramsOf(one);
    const isUnknown = typeof sessionId === 'string' && known.get(sessionId) === undefined;
    return protocolFault(isUnknown ? 'the client does not know this session yet' : undefined);
  };
};

const permissions: MessageRules = (one, index) => {
  const request = requestOf(one, index);
  const { optionId } = toObject(toObject(resultOf(one)).outcome);
  if (methodOf(request) !== 'session/request_permission' || optionId === undefined) return [];
  const { options } = paramsOf(request);
  const isOffered = Array.isArray(options) && options.some((option) => toObject(option).optionId === optionId);
  return protocolFault(isOffered ? undefined : `the option ${JSON.stringify(optionId)} was not offered`);
};

/** An agent uses a terminal that the client has named, until it is released. */
const terminals = (): MessageRules => {
  const open = recent<boolean>();
  return (one, index) => {
    const request = requestOf(one, index);
    const { terminalId: made } = toObject(resultOf(one));
    if (methodOf(request) === 'terminal/create') open.set(keyOf(paramsOf(request).sessionId, made), true);
    const { sessionId, terminalId } = paramsOf(one);
    if (one.message.kind !== 'request' || one.from !== 'server' || terminalId === undefined) return [];
    const isOpen = open.get(keyOf(sessionId, terminalId));
    if (methodOf(one) === 'terminal/release') open.set(keyOf(sessionId, terminalId), false);
    return protocolFault(isOpen ? undefined : `the client has no terminal ${JSON.stringify(terminalId)}`);
  };
};

const keyOf = (sessionId: unknown, terminalId: unknown): string => JSON.stringify([sessionId, terminalId]);

/** A cancelled prompt ends by its stop reason; another prompt leaves no tool call running. */
const promptEnds = (): MessageRules => {
  const running = new Map<unknown, Set<string>>(); // tool calls by their session
  return (one, index) => {
    const { sessionId, update } = paramsOf(one);
    if (update !== undefined) follow(running, sessionId, toObject(update));
    const request = requestOf(one, index);
    if (methodOf(request) !== 'session/prompt') return [];
    const left = [...(running.get(paramsOf(request).sessionId) ?? [])];
    running.delete(paramsOf(request).sessionId);
    if (one.message.kind === 'response' && 'error' in one.message.body) {
      const cancel = index.messages[index.calls[one.owner ?? -1]?.cancel ?? -1];
      const mayFail = methodOf(cancel) === CANCEL_REQUEST && codeOf(one.message.body.error) === REQUEST_CANCELLED;
      return protocolFault(
        cancel === undefined || mayFail
          ? undefined
          : 'a cancelled prompt must have the stop reason cancelled, not an error',
      );
    }
    const isLeft = left.length > 0 && toObject(resultOf(one)).stopReason !== 'cancelled';
    return protocolFault(isLeft ? `the turn ended, but these tool calls did not: ${left.join(', ')}` : undefined);
  };
};

const codeOf = (error: unknown): unknown => toObject(error).code;

/** Without a status a new tool call is pending, and an update changes nothing. */
const follow = (running: Map<unknown, Set<string>>, session: unknown, update: JsonObject): void => {
  const { sessionUpdate, toolCallId, status = sessionUpdate === 'tool_call' ? 'pending' : undefined } = update;
  if (typeof toolCallId !== 'string') return;
  const own = running.get(session) ?? new Set();
  if (status === 'pending' || status === 'in_progress') running.set(session, own.add(toolCallId));
  else if (status === 'completed' || status === 'failed') own.delete(toolCallId);
};
