/** `tools/call`: a new call, or a retry that carries answers to the questions of one. */

import { toInput } from '../../../protocol/codex/input';
import { checkParams } from '../../../protocol/jsonrpc/checkParams';
import { isObject, type JsonObject } from '../../../protocol/jsonrpc/json';
import { INVALID_PARAMS, type Request, RpcError } from '../../../protocol/jsonrpc/messages';
import { canElicit, canSample } from '../../../protocol/mcp/mcp';
import { CallToolParams } from '../../../protocol/mcp/params';
import { nearest } from '../../../streams/text/nearest';
import type { Era } from '../../faces/clientInfo';
import type { Face } from '../../faces/faceOf';
import type { Caller, McpCall } from '../caller';
import { whySilent } from '../clients';
import { type Command, isToken, type Method, type MethodDeps, serverMeta } from './method';
import { InvalidArguments, readToolArguments, type ToolRequest } from './readToolArguments';
import { digestOf, withoutDigest } from './requestState';

/**
 * Begins a call, or resumes one. Arguments that do not fit become a tool result, so that the model that wrote them reads why;
 * anything else that is wrong throws RpcError.
 */
export const callTool =
  (deps: MethodDeps): Method =>
  (request, era) => {
    const fault = oldFault(deps.face, request);
    if (fault !== undefined) return toFailure(deps, toCaller(request, era, ''), fault);
    const { name, arguments: args = {}, ...retry } = checkParams(CallToolParams(), request.params);
    const read = readerOf(name);
    const caller = toCaller(request, era, era.modern ? digestOf(name, args) : withoutDigest(args));
    if (retry.requestState !== undefined && era.modern) {
      return toResume(deps, caller, { inputResponses: retry.inputResponses ?? {}, requestState: retry.requestState });
    }
    try {
      return toBegin(deps, caller, read(args));
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

const readerOf = (name: string) => {
  const read = Object.hasOwn(readToolArguments, name) ? readToolArguments[name] : undefined;
  if (!read) throw unknownTool(name);
  return read;
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

const toBegin = ({ face, newCallId }: MethodDeps, caller: Caller, request: ToolRequest): Command => {
  if (caller.era.modern && 'newest' in request.thread) throw new InvalidArguments(WITHOUT_THREAD);
  const callId = newCallId();
  const cannotAsk = whySilent(caller.era);
  const askable = canElicit(caller.era.capabilities) && cannotAsk === undefined;
  const { thread, prompt, lasting } = request;
  const eventId = face.namesRepliesByCall && !('start' in thread) ? callId : String(caller.id);
  const samples = caller.era.modern ? undefined : canSample(caller.era.capabilities);
  const about = { callId, eventId, askable, cannotAsk, ...(samples && { samples }) };
  const op = { kind: 'turn', ...about, thread, input: toInput(prompt), ...(lasting && { lasting }) } as const;
  return { kind: 'begin', call: toCall(callId, caller), op };
};

const toFailure = ({ face }: MethodDeps, { id, batch, era }: Caller, text: string): Command => {
  const result = { content: [{ type: 'text', text }], isError: true };
  const whole = era.modern ? { resultType: 'complete', _meta: serverMeta(face), ...result } : result;
  return { kind: 'response', id, batch, result: whole };
};

const toCall = (callId: string, caller: Caller): McpCall => ({
  callId,
  requestId: caller.id,
  asksBy: caller.era.modern ? 'result' : 'request',
  ...(caller.era.modern &&
    !canElicit(caller.era.capabilities) && { cannotAsk: 'its last request declared no elicitation' }),
  caller,
});

const unknownTool = (name: string): RpcError => {
  const near = nearest(name, Object.keys(readToolArguments));
  return new RpcError(INVALID_PARAMS, `Unknown tool: ${name}${near === undefined ? '' : `; did you mean ${near}?`}`);
};
