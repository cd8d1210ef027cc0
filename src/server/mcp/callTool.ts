/** Owns `tools/call`: a new call, or a retry that carries answers to the questions of one. */
import { CallToolParams, canElicit, checkParams, INVALID_PARAMS, isObject, RpcError } from '../../protocol';
import { isToken, type Method, type MethodDeps, serverMeta } from './method';
import { verdictsOf } from './questions';
import { digestOf } from './requestState';
import { BadArguments, nearest, toolCalls } from './toolCall';

/** A tool's arguments that do not fit are news for the model, so a result; all else wrong is an error of the protocol. */
export const callTool =
  ({ face, sealer, newCallId }: MethodDeps): Method =>
  (request, era) => {
    const { id, batch } = request;
    const { name, arguments: args = {}, inputResponses, requestState } = checkParams(CallToolParams(), request.params);
    const read = toolCalls[name];
    if (!read || !Object.hasOwn(toolCalls, name)) throw unknownTool(name);
    const meta = isObject(request.params._meta) ? request.params._meta : {};
    const token = isToken(meta.progressToken) ? meta.progressToken : undefined;
    const call = { id, batch, era, token, digest: digestOf(name, args) };
    if (requestState !== undefined && era.modern) {
      const { callId, digest } = sealer.open(requestState);
      if (digest !== call.digest)
        throw new RpcError(INVALID_PARAMS, 'Invalid params: params.requestState belongs to another call');
      return { kind: 'resume', call: { ...call, callId }, verdicts: verdictsOf(inputResponses ?? {}) };
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
      return { kind: 'begin', call: { ...call, callId, tool: name }, op };
    } catch (error) {
      if (!(error instanceof BadArguments)) throw error;
      const result = { content: [{ type: 'text', text: error.message }], isError: true };
      return {
        kind: 'response',
        id,
        batch,
        result: era.modern ? { resultType: 'complete', _meta: serverMeta(face), ...result } : result,
      };
    }
  };

const unknownTool = (name: string): RpcError => {
  const near = nearest(name, Object.keys(toolCalls));
  return new RpcError(INVALID_PARAMS, `Unknown tool: ${name}${near === undefined ? '' : `; did you mean ${near}?`}`);
};
