/** Owns which method a request names and what it comes to, for both eras. */

import type { Log } from '../../log';
import {
  CallToolParams,
  canElicit,
  checkParams,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  InitializeParams,
  idKey,
  isObject,
  type JsonObject,
  ListenParams,
  ListParams,
  META_SERVER_INFO,
  METHOD_NOT_FOUND,
  type Request,
  type Response,
  RpcError,
  SetLevelParams,
  SUPPORTED_VERSIONS,
  toErrorObject,
  type Verdict,
} from '../../protocol';
import { agree, type Client, type Era, eraOf } from './client';
import type { Command } from './command';
import { toVerdict } from './elicitation';
import type { Face } from './faces';
import { digestOf, type Sealer } from './requestState';
import { BadArguments, nearest, toolCalls } from './toolCall';

export type MethodDeps = { face: Face; sealer: Sealer; newCallId: () => string; log: Log; instructions: string };

type Asked = Request & { era: Era };
type Method = (request: Asked) => Command;

const RESULT_TTL_MS = 3_600_000;

/**
 * `(request, client) => command`. Never throws: what a peer did wrong becomes the error of its response,
 * and so does a fault of ours, which is logged with its stack.
 */
export const methods = (deps: MethodDeps): ((request: Request, client: Client) => Command) => {
  const legacy = legacyMethods(deps);
  const modern = modernMethods(deps);
  return (request, client) => {
    try {
      const era = eraOf(request, client);
      const method = (era.modern ? modern : legacy)[request.method];
      if (!method) throw unknownMethod(request.method);
      return method({ ...request, era });
    } catch (error) {
      return {
        kind: 'response',
        id: request.id,
        batch: request.batch,
        error: toErrorObject(toRpcError(error, deps.log)),
      };
    }
  };
};

const unknownMethod = (method: string): RpcError =>
  new RpcError(METHOD_NOT_FOUND, `Method not found: ${method}`, { method });

const toRpcError = (error: unknown, log: Log): RpcError => {
  if (error instanceof RpcError) return error;
  log('error', 'a request failed by a fault of ours', { stack: (error as Error).stack });
  return new RpcError(INTERNAL_ERROR, 'Internal error');
};

const reply = ({ id, batch }: Request, json: string): Response => ({ kind: 'response', id, batch, json });

/** A text made when it is first asked for. */
const once = (make: () => string): (() => string) => {
  let text: string | undefined;
  return () => {
    text ??= make();
    return text;
  };
};

const legacyMethods = (deps: MethodDeps): Record<string, Method> => {
  const { face } = deps;
  const tools = once(() => JSON.stringify({ tools: face.tools() }));
  return table({
    initialize: (request) => {
      const { protocolVersion } = checkParams(InitializeParams, request.params);
      const { capabilities, serverInfo } = face;
      const result = {
        protocolVersion: agree(protocolVersion),
        capabilities,
        serverInfo,
        instructions: deps.instructions,
      };
      return reply(request, JSON.stringify(result));
    },
    ping: (request) => reply(request, '{}'),
    'tools/list': (request) => {
      checkList(request.params);
      return reply(request, tools());
    },
    'tools/call': (request) => callTool(deps)(request),
    ...('logging' in face.capabilities && {
      'logging/setLevel': (request: Asked) => {
        const { level } = checkParams(SetLevelParams, request.params);
        return { kind: 'level' as const, level, response: reply(request, '{}') };
      },
    }),
  });
};

/** Source: 2026-07-28 server/discover, basic "ResultType", server/utilities/caching. */
const modernMethods = (deps: MethodDeps): Record<string, Method> => {
  const { face } = deps;
  const cached = { resultType: 'complete', ttlMs: RESULT_TTL_MS, cacheScope: 'public', _meta: serverMeta(face) };
  const tools = once(() => JSON.stringify({ ...cached, tools: face.tools() }));
  const discovery = once(() =>
    JSON.stringify({
      ...cached,
      supportedVersions: SUPPORTED_VERSIONS,
      capabilities: face.capabilities,
      instructions: deps.instructions,
    }),
  );
  return table({
    'server/discover': (request) => reply(request, discovery()),
    'tools/list': (request) => {
      checkList(request.params);
      return reply(request, tools());
    },
    'tools/call': (request) => callTool(deps)(request),
    'subscriptions/listen': ({ id, params }) => {
      checkParams(ListenParams, params);
      return { kind: 'listen', id };
    },
  });
};

/** What every modern result carries. */
export const serverMeta = (face: Face): JsonObject => ({ [META_SERVER_INFO]: face.serverInfo });

/** Without a prototype, so that a method named like a member of Object is unknown. */
const table = (entries: Record<string, Method>): Record<string, Method> => Object.assign(Object.create(null), entries);

const checkList = (params: JsonObject): void => {
  if ('cursor' in params) checkParams(ListParams, params);
};

const callTool =
  ({ face, sealer, newCallId }: MethodDeps): Method =>
  (request) => {
    const { id, batch, era } = request;
    const { name, arguments: args = {}, inputResponses, requestState } = checkParams(CallToolParams, request.params);
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

const isToken = (token: unknown): token is string | number | bigint =>
  typeof token === 'string' || typeof token === 'number' || typeof token === 'bigint';

const QUESTION_KEY = /^approval-(\d+)$/;

/** The name of a question in `inputRequests`. */
export const toQuestionKey = (question: number): string => `approval-${question}`;

/** Answers that cannot be read are as good as missing: their question is put again. */
const verdictsOf = (responses: JsonObject): Map<number, Verdict> =>
  new Map(
    Object.entries(responses).flatMap(([key, result]) => {
      const question = QUESTION_KEY.exec(key)?.[1];
      const verdict = toVerdict(result);
      return question === undefined || verdict === undefined ? [] : [[Number(question), verdict] as const];
    }),
  );

/** One text per request, for finding the call that a cancel means. */
export const keyOf = (id: unknown): string | undefined => (isToken(id) ? idKey(id) : undefined);
