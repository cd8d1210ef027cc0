/** What MCP rules about the order of messages: what comes before the handshake, what nobody has declared, the ids of requests, and their progress. */
import { isObject, type JsonObject, toJson, toObject } from '../../protocol/jsonrpc/json';
import { toIdText } from '../../protocol/jsonrpc/messages';
import { labelOf } from '../../protocol/jsonrpc/parseLine';
import { BATCH_VERSION, META_CAPABILITIES, META_VERSION, MODERN_VERSION } from '../../protocol/mcp/mcp';
import { isCancel } from '../session/pairCalls';
import type { IndexedMessage, SessionIndex, Side } from '../session/sessionIndex';
import { type Fault, isFromStart, type MessageRules, protocolFault, recent, requestOf } from './finding';

const metaOf = (params: unknown): JsonObject => toObject(toObject(params)._meta);

/** Whether the params are those of a request of a revision without a handshake. */
export const isModern = (params: unknown): boolean => META_VERSION in metaOf(params);

/** What a side must have declared before a method is sent; a dot leads into a capability. Source: schema of each revision with a handshake. */
const NEEDS: Readonly<Record<Side, readonly (readonly [method: RegExp, capability: string])[]>> = {
  server: [
    [/^resources\/(?:un)?subscribe$|^notifications\/resources\/updated$/, 'resources.subscribe'],
    [/^notifications\/tools\/list_changed$/, 'tools.listChanged'],
    [/^notifications\/prompts\/list_changed$/, 'prompts.listChanged'],
    [/^notifications\/resources\/list_changed$/, 'resources.listChanged'],
    [/^tools\//, 'tools'],
    [/^prompts\//, 'prompts'],
    [/^resources\//, 'resources'],
    [/^logging\/|^notifications\/message$/, 'logging'],
    [/^completion\//, 'completions'],
  ],
  client: [
    [/^sampling\//, 'sampling'],
    [/^roots\//, 'roots'],
    [/^elicitation\//, 'elicitation'],
    [/^notifications\/roots\/list_changed$/, 'roots.listChanged'],
  ],
};

/** The first revision with this capability. */
const COMPLETIONS_VERSION = '2025-03-26';

type Handshake = {
  phase: 'none' | 'asked' | 'done';
  version?: string;
  capabilities: Partial<Record<Side, JsonObject>>;
  hasModern: boolean;
};

const OTHER: Readonly<Record<Side, Side>> = { client: 'server', server: 'client' };

/** Follows `initialize`: what comes before its response, and what nobody has declared. */
export const handshake = (): MessageRules => {
  let known: Handshake = { phase: 'none', capabilities: {}, hasModern: false };
  return (one, index) => {
    const { message, from, part } = one;
    const request = requestOf(one, index);
    if (message.kind === 'response' && labelOf(request?.message) === 'initialize')
      known = agreed(known, message.body.result);
    const isBatch = part !== undefined && known.version !== undefined && known.version > BATCH_VERSION;
    const isAgain = message.kind === 'request' && message.method === 'initialize' && known.phase !== 'none';
    const faults = protocolFault(
      isBatch ? `revision ${known.version} has no batches` : undefined,
      isAgain ? 'the session was initialized before' : undefined,
    );
    if (message.kind === 'notification') return [...faults, ...undeclared(known, one)];
    if (message.kind !== 'request') return faults;
    if (message.method === 'initialize' && from === 'client') {
      const client = toObject(toObject(message.params).capabilities);
      known = { ...known, phase: 'asked', capabilities: { ...known.capabilities, client } };
      return faults;
    }
    known = { ...known, hasModern: known.hasModern || isModern(message.params) };
    return [...faults, ...(isModern(message.params) ? modernFaults(message.params) : requestFaults(known, one, index))];
  };
};

const agreed = (known: Handshake, result: unknown): Handshake => {
  const { protocolVersion, capabilities } = toObject(result);
  return {
    ...known,
    phase: 'done',
    ...(typeof protocolVersion === 'string' && { version: protocolVersion }),
    ...(isObject(capabilities) && { capabilities: { ...known.capabilities, server: capabilities } }),
  };
};

/** Methods that both sides may send before the handshake is over. */
const EARLY = /^(?:ping|server\/discover)$/;

const requestFaults = (known: Handshake, one: IndexedMessage, { meta }: SessionIndex): Fault[] => {
  const { phase, hasModern } = known;
  const { message, from } = one;
  if (message.kind !== 'request' || EARLY.test(message.method)) return [];
  if (phase === 'none' && hasModern)
    return protocolFault(
      from === 'server'
        ? `a server sends no requests in revision ${MODERN_VERSION}`
        : `its _meta has no ${META_VERSION}, as each request of revision ${MODERN_VERSION} has`,
    );
  if (phase === 'asked') return protocolFault('it comes before the response to initialize');
  if (phase === 'none') return protocolFault(isFromStart(meta) ? 'it comes before initialize' : undefined);
  return undeclared(known, one);
};

/** A request needs what its receiver declared, a notification what its sender did. */
const undeclared = ({ version = '', capabilities }: Handshake, { message, from }: IndexedMessage): Fault[] => {
  const owner = message.kind === 'request' ? OTHER[from] : from;
  const declared = capabilities[owner];
  if (!('method' in message) || declared === undefined) return [];
  const needed = NEEDS[owner].find(([pattern]) => pattern.test(message.method))?.[1];
  if (needed === undefined || (needed === 'completions' && version < COMPLETIONS_VERSION)) return [];
  const [feature = '', part] = needed.split('.');
  const has = part === undefined ? feature in declared : toObject(declared[feature])[part] === true;
  return protocolFault(has ? undefined : `the ${owner} did not declare ${needed}`);
};

const modernFaults = (params: unknown): Fault[] =>
  protocolFault(isObject(metaOf(params)[META_CAPABILITIES]) ? undefined : `its _meta has no ${META_CAPABILITIES}`);

/**
 * A session has each id of a side once, and what is cancelled was requested. An id whose request has no response yet is a matter of JSON-RPC.
 * Source: MCP 2024-11-05 to 2025-11-25, requests and cancellation. A request of 2026-07-28 belongs to no session.
 */
export const ids = (): MessageRules => {
  const requested = recent<{ lineNumber: number; isOver: boolean }>();
  return (one, index) => {
    const { message, from, lineNumber } = one;
    const key = (side: Side, id: unknown) => `${side} ${toJson(id)}`;
    const ended = requestOf(one, index);
    if (ended?.message.kind === 'request')
      requested.set(key(ended.from, ended.message.id), { lineNumber: ended.lineNumber, isOver: true });
    if (isCancel(message) && 'params' in message) {
      const { requestId } = toObject(message.params);
      const isKnown = requestId === undefined || requested.get(key(from, requestId)) !== undefined;
      return protocolFault(
        isKnown || !isFromStart(index.meta) ? undefined : `no request has the id ${JSON.stringify(requestId)}`,
      );
    }
    if (message.kind !== 'request') return [];
    const before = requested.get(key(from, message.id));
    requested.set(key(from, message.id), { lineNumber, isOver: false });
    const isAgain = before?.isOver === true && !isModern(message.params);
    return protocolFault(
      isAgain ? `the request of line ${before.lineNumber} had the id ${toIdText(message.id)} too` : undefined,
    );
  };
};

const tokenOf = ({ message, from }: IndexedMessage): string | undefined => {
  const { progressToken } = toObject(toObject('params' in message ? message.params : {})._meta);
  return progressToken === undefined ? undefined : keyOf(from, progressToken);
};

const keyOf = (side: Side, token: unknown): string => `${side} ${JSON.stringify(token)}`;

/** Requests that are open have different progress tokens. */
export const tokens = (): MessageRules => {
  const open = new Map<string, number>(); // lines of requests
  return (one, index) => {
    const { message, lineNumber } = one;
    const ended = isCancel(message)
      ? index.messages[index.calls[one.owner ?? -1]?.request ?? -1]
      : requestOf(one, index);
    if (ended !== undefined) open.delete(tokenOf(ended) ?? '');
    const token = message.kind === 'request' ? tokenOf(one) : undefined;
    if (token === undefined) return [];
    const before = open.get(token);
    open.set(token, lineNumber);
    return protocolFault(
      before === undefined
        ? undefined
        : `the request of line ${before}, which has no response yet, has its progress token too`,
    );
  };
};

type Reported = { latest: number; endedIn?: number };

/** Progress belongs to an open request, and rises. */
export const progress = (): MessageRules => {
  const tokens = recent<Reported>();
  return (one, index) => {
    const { message, from, lineNumber } = one;
    const request = message.kind === 'request' ? one : requestOf(one, index);
    const key = request && tokenOf(request);
    if (key !== undefined) {
      if (message.kind === 'request') tokens.set(key, { latest: Number.NEGATIVE_INFINITY });
      else if (!isTask(message)) tokens.set(key, { latest: 0, ...tokens.get(key), endedIn: lineNumber });
    }
    if (message.kind !== 'notification' || message.method !== 'notifications/progress') return [];
    const params = toObject(message.params);
    const named = keyOf(from === 'client' ? 'server' : 'client', params.progressToken);
    const reported = tokens.get(named);
    if (reported && typeof params.progress === 'number')
      tokens.set(named, { ...reported, latest: Math.max(reported.latest, params.progress) });
    return progressFaults(reported, params);
  };
};

/** The progress of a task goes on after the response that names the task. */
const isTask = (message: IndexedMessage['message']): boolean => {
  const { task, resultType } = message.kind === 'response' ? toObject(message.body.result) : {};
  return isObject(task) || resultType === 'task';
};

const progressFaults = (reported: Reported | undefined, params: JsonObject): Fault[] => {
  const { progressToken, progress: step, total, message } = params;
  if (reported === undefined)
    return protocolFault(`no request has the progress token ${JSON.stringify(progressToken)}`);
  const { latest, endedIn } = reported;
  return protocolFault(
    endedIn === undefined ? undefined : `its request has its response in line ${endedIn}`,
    typeof step === 'number' ? undefined : 'its progress must be a number',
    typeof step === 'number' && step <= latest
      ? `its progress ${step} does not rise: it was ${latest} before`
      : undefined,
    total === undefined || typeof total === 'number' ? undefined : 'its total must be a number',
    message === undefined || typeof message === 'string' ? undefined : 'its message must be a text',
  );
};
