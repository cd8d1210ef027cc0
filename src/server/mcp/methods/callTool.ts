/** `tools/call`: a new call, or a retry that carries answers to the questions of one; and what the arguments of a call ask for, or what is wrong with them. */
import { type ThreadRef, toInput } from '../../../protocol/codex/operations';
import type { ThreadSettings } from '../../../protocol/codex/settings';
import { CodexArguments, CodexReplyArguments, settingsOf } from '../../../protocol/codex/toolArguments';
import type { TurnSettings } from '../../../protocol/codex/turnSettings';
import { checkParams } from '../../../protocol/jsonrpc/checkParams';
import { isObject, type JsonObject, ownOf, withoutUndefined } from '../../../protocol/jsonrpc/json';
import { INVALID_PARAMS, type Request, RpcError } from '../../../protocol/jsonrpc/messages';
import { canElicit, canSample } from '../../../protocol/mcp/mcp';
import { CallToolParams } from '../../../protocol/mcp/params';
import { declaresTasks } from '../../../protocol/mcp/tasks';
import { clipName } from '../../../protocol/rpc/failureOutcome';
import { nearest } from '../../../streams/text/nearest';
import type { Era } from '../../faces/clientInfo';
import type { Face } from '../../faces/faceOf';
import type { Caller, McpCall } from '../caller';
import { whySilent } from '../clients';
import { type AddedTool, addedTools } from './addedTools';
import { type Command, isToken, type Method, type MethodDeps, toFailure } from './method';
import { InvalidArguments, readArguments } from './readArguments';
import { digestOf, withoutDigest } from './requestState';

/** Begins or resumes a call. Arguments that do not fit become a tool result, for the model that wrote them; other faults throw RpcError. */
export const callTool =
  (deps: MethodDeps): Method =>
  (request, era) => {
    const fault = oldFault(deps.face, request);
    if (fault !== undefined) return toFailure(deps, toCaller(request, era, ''), fault);
    const { name, arguments: args = {}, ...retry } = checkParams(CallToolParams(), request.params);
    const begin = toolOf(deps, name);
    const caller = toCaller(request, era, era.modern ? digestOf(name, args) : withoutDigest(args));
    if (retry.requestState !== undefined && era.modern) {
      return toResume(deps, caller, { inputResponses: retry.inputResponses ?? {}, requestState: retry.requestState });
    }
    try {
      return begin({ request, caller, args: deps.face.extended ? args : withoutNull(args) });
    } catch (error) {
      if (!(error instanceof InvalidArguments)) throw error;
      const text = error.message;
      return toFailure(deps, caller, deps.face.texts?.invalidArguments(name, { args, text }) ?? text);
    }
  };

/** What an old release answered by a result: a tool that it did not have, arguments that are no object. */
const oldFault = ({ texts }: Face, { params }: Request): string | undefined => {
  const { name, arguments: args } = params;
  if (texts === undefined || typeof name !== 'string') return undefined;
  if (!Object.hasOwn(readToolArguments, name)) return texts.unknownTool(name);
  return isObject(args) ? undefined : texts.invalidArguments(name, { args, text: 'the arguments are not an object' });
};

/** An old release took null for an absent argument; the schema of no argument has null. Source: serde's Option in Codex 0.28.0. */
const withoutNull = (args: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));

const toolOf = (deps: MethodDeps, name: string): AddedTool => {
  const added = addedTools({ ...deps, toCall: (caller) => toCall(deps.newCallId(), caller) });
  const read = ownOf(readToolArguments, name);
  if (read) return ({ caller, args }) => toBegin(deps, caller, read(args));
  const tool = ownOf(added, name);
  if (!tool) throw unknownTool(name, [...Object.keys(readToolArguments), ...Object.keys(added)]);
  return tool;
};

const toCaller = ({ id, batch, params }: Request, era: Era, digest: string): Caller => {
  const meta = isObject(params._meta) ? params._meta : {};
  const token = isToken(meta.progressToken) ? meta.progressToken : undefined;
  return { method: 'tools/call', id, batch, era, token, digest };
};

type Retry = { inputResponses: JsonObject; requestState: string };

/** The state names the call; a retry has the tool and the arguments of the first request. */
const toResume = ({ sealer }: MethodDeps, caller: Caller, { inputResponses, requestState }: Retry): Command => {
  const { callId, digest, keys, misread } = sealer.open(requestState);
  if (digest !== caller.digest) {
    throw new RpcError(INVALID_PARAMS, 'Invalid params: params.requestState belongs to another call');
  }
  return { kind: 'resume', call: toCall(callId, caller), responses: inputResponses, asked: { keys, misread } };
};

/** Nothing of 2026-07-28 follows from the connection, so a thread must be named. Source: 2026-07-28 basic "Statelessness". */
const WITHOUT_THREAD =
  'codex-reply needs a `threadId`: pass that of the result to continue, or start a thread with the tool codex.';

const toBegin = ({ face, newCallId, tasks, workMs }: MethodDeps, caller: Caller, request: ToolRequest): Command => {
  if (caller.era.modern && 'newest' in request.thread) throw new InvalidArguments(WITHOUT_THREAD);
  const callId = newCallId();
  const cannotAsk = whySilent(caller.era);
  const askable = canElicit(caller.era.capabilities) && cannotAsk === undefined;
  const { thread, prompt, lasting } = request;
  const eventId = face.namesRepliesByCall && !('start' in thread) ? callId : String(caller.id);
  const samples = caller.era.modern ? undefined : canSample(caller.era.capabilities);
  const about = { callId, eventId, askable, cannotAsk, ...(samples && { samples }) };
  const op = { kind: 'turn', ...about, thread, input: toInput(prompt), ...(lasting && { lasting }) } as const;
  const isTask = tasks !== undefined && caller.era.modern && declaresTasks(caller.era.capabilities);
  const began = face.extended && { beganMs: workMs() };
  if (!isTask) return { kind: 'begin', call: toCall(callId, caller), op, ...began };
  const own: McpCall = { callId, requestId: caller.id, asksBy: 'task', caller };
  return { kind: 'begin', call: own, op: { ...op, asksByTask: true }, ...began };
};

const toCall = (callId: string, caller: Caller): McpCall => ({
  callId,
  requestId: caller.id,
  asksBy: caller.era.modern ? 'result' : 'request',
  ...(caller.era.modern &&
    !canElicit(caller.era.capabilities) && { cannotAsk: 'its last request declared no elicitation' }),
  caller,
});

const unknownTool = (name: string, known: string[]): RpcError => {
  const near = nearest(name, known);
  return new RpcError(
    INVALID_PARAMS,
    `Unknown tool: ${clipName(name)}${near === undefined ? '' : `; did you mean ${near}?`}`,
  );
};

/** What a tool call asks an agent for. */
type ToolRequest = Continued & {
  /** The message to the thread. */
  prompt: string;
};

type Continued = {
  /** The thread, or the settings of a new one. */
  thread: ThreadRef;
  /** Settings of the thread from now on; absent if they stay as they are. */
  lasting?: TurnSettings;
};

/** The tools by name. */
export const readToolArguments: Record<string, (args: JsonObject) => ToolRequest> = {
  codex: (args) => {
    const { prompt, ...given } = readArguments('codex', CodexArguments(), args);
    const settings = settingsOf(given);
    return { prompt, ...(resumedThread(settings) ?? { thread: { start: settings } }) };
  },
  'codex-reply': (args) => {
    const { prompt, cwd, config, ...ids } = readArguments('codex-reply', CodexReplyArguments(), args);
    const lasting = withoutUndefined({ cwd, config });
    const given = new Set([ids.threadId, ids.conversationId, ids.sessionId].filter((id) => id !== undefined));
    if (given.size > 1) throw new InvalidArguments('threadId, conversationId and sessionId name different threads');
    const [id] = given;
    const thread = id === undefined ? ({ newest: true } as const) : { id };
    return { prompt, thread, ...(Object.keys(lasting).length > 0 && { lasting }) };
  },
};

/** The name of a session file ends with the id of its thread; the folder does not matter, as threads are found by their ids. */
const NAME = /(?:^|[\\/])rollout-[\dT-]+-(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/i;

/**
 * The thread whose file `experimental_resume` in the `config` of a call names, and the settings of the call, which apply to it from then on; undefined without
 * that key, or if it names no session file. No file is read: the thread is looked for as `codex-reply` does.
 * Source: Codex 0.28.0, CORE 8.2; it read any path.
 */
export const resumedThread = ({ config = {}, sandbox, ...settings }: ThreadSettings): Continued | undefined => {
  const path = config.experimental_resume;
  const id = typeof path === 'string' ? NAME.exec(path)?.groups?.id : undefined;
  if (id === undefined) return undefined;
  const { experimental_resume: _, ...keys } = config;
  const lasting: TurnSettings = {
    ...withoutUndefined(settings),
    ...(sandbox !== undefined && { sandbox: { mode: sandbox } }),
    ...(Object.keys(keys).length > 0 && { config: keys }),
  };
  return { thread: { id }, ...(Object.keys(lasting).length > 0 && { lasting }) };
};
