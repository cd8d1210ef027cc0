/** Owns `tools/call`: a new call, or a retry that carries answers to the questions of one. */
import { checkParams, INVALID_PARAMS, isObject, RpcError } from '../../../protocol/jsonrpc';
import { CallToolParams, canElicit } from '../../../protocol/mcp';
import { nearest } from '../../../text';
import type { Caller, McpCall } from '../caller';
import { readAnswers } from '../questions/inputRequests';
import { isToken, type Method, type MethodDeps, serverMeta } from './method';
import { InvalidArguments, readToolArguments } from './readToolArguments';
import { digestOf } from './requestState';

/** A tool's arguments that do not fit are news for the model, so a result; all else wrong is an error of the protocol. */
export const callTool =
  ({ face, sealer, newCallId }: MethodDeps): Method =>
  (request, era) => {
    const { id, batch } = request;
    const { name, arguments: args = {}, inputResponses, requestState } = checkParams(CallToolParams(), request.params);
    const read = readToolArguments[name];
    if (!read || !Object.hasOwn(readToolArguments, name)) throw unknownTool(name);
    const meta = isObject(request.params._meta) ? request.params._meta : {};
    const token = isToken(meta.progressToken) ? meta.progressToken : undefined;
    const caller: Caller = { id, batch, era, token, digest: digestOf(name, args) };
    if (requestState !== undefined && era.modern) {
      const { callId, digest } = sealer.open(requestState);
      if (digest !== caller.digest)
        throw new RpcError(INVALID_PARAMS, 'Invalid params: params.requestState belongs to another call');
      return { kind: 'resume', call: toCall(callId, caller), verdicts: readAnswers(inputResponses ?? {}) };
    }
    try {
      const callId = newCallId();
      const op = {
        kind: 'turn',
        callId,
        eventId: String(id),
        askable: canElicit(era.capabilities),
        ...read(args),
      } as const;
      return { kind: 'begin', call: toCall(callId, caller), op };
    } catch (error) {
      if (!(error instanceof InvalidArguments)) throw error;
      const result = { content: [{ type: 'text', text: error.message }], isError: true };
      return {
        kind: 'response',
        id,
        batch,
        result: era.modern ? { resultType: 'complete', _meta: serverMeta(face), ...result } : result,
      };
    }
  };

const toCall = (callId: string, caller: Caller): McpCall => ({
  callId,
  requestId: caller.id,
  asksBy: caller.era.modern ? 'result' : 'request',
  caller,
});

const unknownTool = (name: string): RpcError => {
  const near = nearest(name, Object.keys(readToolArguments));
  return new RpcError(INVALID_PARAMS, `Unknown tool: ${name}${near === undefined ? '' : `; did you mean ${near}?`}`);
};
