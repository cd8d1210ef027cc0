/** What the Model Context Protocol rules, in its revisions: the handshake, what both sides declare, the shapes of results, progress and request state. */
import { isObject, type JsonObject, toObject } from '../../protocol/jsonrpc/json';
import { labelOf } from '../../protocol/jsonrpc/parseLine';
import { BATCH_VERSION, META_CAPABILITIES, META_VERSION, MODERN_VERSION } from '../../protocol/mcp/mcp';
import type { IndexedMessage, SessionIndex, Side } from '../session/sessionIndex';
import { type Fault, type MessageRules, type Protocol, protocolFault, recent, requestOf } from './finding';
import { deprecated } from './mcpDeprecated';
import { results } from './mcpResults';

/** A session is of MCP by its handshake, by the metadata of a request, or by a method of its own. */
export const MCP: Protocol = {
  speaks: ({ messages }) => messages.some((one) => one.from === 'client' && isOfMcp(one)),
  rules: () => {
    const all = [envelope, handshake(), results(), progress(), cancels(), requestStates(), deprecated()];
    return (one, index) => (one.message.kind === 'other' ? [] : all.flatMap((rules) => rules(one, index)));
  },
};

const isOfMcp = ({ message }: IndexedMessage): boolean => {
  if (message.kind !== 'request') return false;
  const { method, params } = message;
  if (method === 'initialize') return typeof toObject(params).protocolVersion === 'string';
  return /^(?:tools|prompts|resources)\/|^server\/discover$/.test(method) || isModern(params);
};

const metaOf = (params: unknown): JsonObject => toObject(toObject(params)._meta);

/** Whether the params are those of a request of a revision without a handshake. */
const isModern = (params: unknown): boolean => META_VERSION in metaOf(params);

/** What each message has, whatever it is about. */
const envelope: MessageRules = ({ message, value }) => {
  const { jsonrpc, id, result, error } = toObject(value);
  const faults = [
    jsonrpc === '2.0' ? undefined : `its jsonrpc is ${JSON.stringify(jsonrpc) ?? 'missing'}; it must be "2.0"`,
    message.kind === 'notification' && id === null ? 'its id is null' : undefined,
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

/** What each side must have declared before the other side sends a method. */
const NEEDS: Readonly<Record<Side, readonly (readonly [method: RegExp, capability: string])[]>> = {
  client: [
    [/^tools\//, 'tools'],
    [/^prompts\//, 'prompts'],
    [/^resources\//, 'resources'],
    [/^logging\//, 'logging'],
  ],
  server: [
    [/^sampling\//, 'sampling'],
    [/^roots\//, 'roots'],
    [/^elicitation\//, 'elicitation'],
  ],
};

type Handshake = {
  phase: 'none' | 'asked' | 'done';
  version?: string;
  capabilities: Partial<Record<Side, JsonObject>>;
  hasModern: boolean;
};

const OTHER: Readonly<Record<Side, Side>> = { client: 'server', server: 'client' };

/** Follows `initialize`: what comes before its response, and what nobody has declared. */
const handshake = (): MessageRules => {
  let known: Handshake = { phase: 'none', capabilities: {}, hasModern: false };
  return (one, index) => {
    const { message, from, part } = one;
    const request = requestOf(one, index);
    if (message.kind === 'response' && labelOf(request?.message) === 'initialize')
      known = agreed(known, message.body.result);
    const isBatch = part !== undefined && known.version !== undefined && known.version > BATCH_VERSION;
    const faults = protocolFault(isBatch ? `revision ${known.version} has no batches` : undefined);
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

const requestFaults = (
  { phase, capabilities, hasModern }: Handshake,
  { message, from }: IndexedMessage,
  { meta }: SessionIndex,
): Fault[] => {
  if (message.kind !== 'request' || EARLY.test(message.method)) return [];
  const { method } = message;
  if (phase === 'none' && hasModern)
    return protocolFault(
      from === 'server'
        ? `a server sends no requests in revision ${MODERN_VERSION}`
        : `its _meta has no ${META_VERSION}, as each request of revision ${MODERN_VERSION} has`,
    );
  if (phase === 'asked') return protocolFault('it comes before the response to initialize');
  if (phase === 'none') return protocolFault(isFromStart(meta) ? 'it comes before initialize' : undefined);
  const declared = capabilities[OTHER[from]];
  const needed = NEEDS[from].find(([pattern]) => pattern.test(method))?.[1];
  return protocolFault(
    needed !== undefined && declared !== undefined && !(needed in declared)
      ? `the ${OTHER[from]} did not declare ${needed}`
      : undefined,
  );
};

/** Only a recorder sees a session from its beginning; what was imported may begin later. */
const isFromStart = ({ recorder }: JsonObject): boolean =>
  typeof recorder === 'string' && !recorder.endsWith(' import');

const modernFaults = (params: unknown): Fault[] =>
  protocolFault(isObject(metaOf(params)[META_CAPABILITIES]) ? undefined : `its _meta has no ${META_CAPABILITIES}`);

type Reported = { latest: number; endedIn?: number };

/** Progress belongs to an open request, and rises. */
const progress = (): MessageRules => {
  const tokens = recent<Reported>();
  const keyOf = (side: Side, token: unknown): string => `${side} ${JSON.stringify(token)}`;
  return (one, index) => {
    const { message, from, lineNumber } = one;
    const request = message.kind === 'request' ? one : requestOf(one, index);
    const token = request && 'params' in request.message ? metaOf(request.message.params).progressToken : undefined;
    if (request && token !== undefined) {
      const key = keyOf(request.from, token);
      if (message.kind === 'request') tokens.set(key, { latest: Number.NEGATIVE_INFINITY });
      else if (!isTask(message)) tokens.set(key, { latest: 0, ...tokens.get(key), endedIn: lineNumber });
    }
    if (message.kind !== 'notification' || message.method !== 'notifications/progress') return [];
    const params = toObject(message.params);
    const key = keyOf(OTHER[from], params.progressToken);
    const reported = tokens.get(key);
    if (reported && typeof params.progress === 'number')
      tokens.set(key, { ...reported, latest: Math.max(reported.latest, params.progress) });
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

/** A response that crosses a cancel on its way is right; this long after it, it is late. */
const LATE_MS = 1_000;

/** Nobody responds to a request that was cancelled. */
const cancels = (): MessageRules => (one, index) => {
  const cancel = index.messages[index.calls[one.owner ?? -1]?.cancel ?? -1];
  if (cancel === undefined || requestOf(one, index) === undefined) return [];
  const lateMs = Math.round(one.t - cancel.t);
  return protocolFault(
    lateMs > LATE_MS ? `it comes ${lateMs} ms after its request was cancelled in line ${cancel.lineNumber}` : undefined,
  );
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
