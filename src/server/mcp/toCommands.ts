/** The messages of a client by kind, and the command that each leads to. */
import type { OperatorFunction } from 'rxjs';
import { isCodexMethod, isConversationMethod } from '../../protocol/codex/methodNames';
import type { Fault, Notification, Request, Response } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import { SUPPORTED_VERSIONS } from '../../protocol/mcp/mcp';
import { readInitialize, readLevel, readListen, refuseCursor } from '../../protocol/mcp/readParams';
import { TASKS_EXTENSION } from '../../protocol/mcp/tasks';
import { failureOutcome, unknownMethod } from '../../protocol/rpc/failureOutcome';
import { methodTable } from '../../protocol/rpc/router';
import { mapMulti } from '../../streams/gather';
import { lazy } from '../../streams/lazy';
import type { Face } from '../faces/faceOf';
import { type Member, membersOf } from './gatherBatches';
import type { McpDeps } from './mcpDeps';
import { libraryCapabilities, libraryMethods } from './methods/libraryMethods';
import {
  type Command,
  isToken,
  type Method,
  type MethodDeps,
  type MethodOf,
  reply,
  serverMeta,
  toFailure,
} from './methods/method';
import { sealer } from './methods/requestState';
import { demandTasks, taskMethods } from './tasksOfCalls';
import { agreedVersion, type Client, eraOf, type Incoming } from './withClient';

/** Loaded after the start, as it needs zod. */
const calls = lazy(() => require('./methods/callTool') as typeof import('./methods/callTool'));

/** If the program was replaced before this was loaded, the call fails with the remedy, as a call that began. */
const callTool =
  (deps: MethodDeps): Method =>
  (request, era) => {
    try {
      return calls().callTool(deps)(request, era);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code !== 'ERR_PROGRAM_REPLACED') throw error;
      return toFailure(deps, { ...request, era }, message);
    }
  };

/**
 * Each request, response, notification and fault leads to a command, or to nothing; the members of a batch one by one.
 *   in  p--n--b---|    (p ping, n a notification that leads to nothing, b a batch of p and p)
 *   out P-----(PP)|
 */
export const toCommands = (deps: McpDeps): OperatorFunction<Incoming, Command> => {
  const toCommand = commandOf(deps);
  return mapMulti(({ message, client }, emit) => {
    const members = message.kind === 'batch' ? membersOf({ message, client }) : [message];
    for (const member of members) {
      const command = toCommand(member, client);
      if (command) emit(command);
    }
  });
};

const commandOf = (deps: McpDeps) => {
  const route = routeRequest({ ...deps, sealer: sealer(deps) });
  return (message: Member, client: Client): Command | undefined => {
    switch (message.kind) {
      case 'request':
        return route(message, client);
      case 'response':
        return toAnswered(deps.log, message);
      case 'notification':
        return toCancel(message);
      case 'fault':
        return toErrorResponse(deps.log, message);
    }
  };
};

const toAnswered = (log: Log, response: Response): Command | undefined => {
  const { id, unread } = response;
  if (unread !== undefined) log('warning', 'a response of the client was rejected', { reason: unread });
  return typeof id === 'number' ? { kind: 'answered', question: id, response } : undefined;
};

const toCancel = ({ method, params }: Notification): Command | undefined => {
  const { requestId } = params;
  return method === 'notifications/cancelled' && isToken(requestId) ? { kind: 'cancel', requestId } : undefined;
};

const toErrorResponse = (log: Log, { id, batch, code, message }: Fault): Command => {
  log('warning', 'a line was rejected', { reason: message });
  return { kind: 'response', id, batch, error: { code, message } };
};

/** `(request, client) => command`. Never throws: faults become the error of the response, and bugs too, which are logged. */
export const routeRequest = (deps: MethodDeps): ((request: Request, client: Client) => Command) => {
  const legacy = legacyMethods(deps);
  const modern = modernMethods(deps);
  const toFailure = failureOutcome(deps);
  return (request, client) => {
    if (deps.face.codexMethods && isCodexMethod(request.method)) return toCodexCommand(request);
    try {
      const era = eraOf(request, client);
      const method = (era.modern ? modern : legacy)(request.method);
      if (!method) throw unknownMethod(request.method);
      return method(request, era);
    } catch (error) {
      return { kind: 'response', id: request.id, batch: request.batch, ...toFailure(error) };
    }
  };
};

const toCodexCommand = (request: Request): Command => {
  const { method } = request;
  return isConversationMethod(method)
    ? { kind: 'conversation', request: { ...request, method } }
    : { kind: 'codex', request };
};

const RESULT_TTL_MS = 3_600_000;

const cachedOf = (face: Face) => ({
  resultType: 'complete',
  ttlMs: RESULT_TTL_MS,
  cacheScope: 'public',
  _meta: serverMeta(face),
});

/** What a home has is nobody else's, and changes. */
const discovery = (deps: MethodDeps): string => {
  const { face, tasks, instructions } = deps;
  const own = libraryCapabilities(deps);
  const extensions = tasks && { extensions: { [TASKS_EXTENSION]: {} } };
  return JSON.stringify({
    ...cachedOf(face),
    ...(Object.keys(own).length > 0 && { cacheScope: 'private' }),
    supportedVersions: SUPPORTED_VERSIONS,
    capabilities: { ...face.capabilities, ...own, ...extensions },
    ...(face.instructs && { instructions }),
  });
};

/** The methods of 2026-07-28. Source: server/discover, basic "ResultType", server/utilities/caching. */
export const modernMethods = (deps: MethodDeps): MethodOf => {
  const { face } = deps;
  const tools = lazy(() => JSON.stringify({ ...cachedOf(face), tools: face.tools(deps.offer) }));
  return methodTable<Method>({
    ...taskMethods(deps),
    ...libraryMethods(deps),
    'server/discover': (request) => reply(request, discovery(deps)),
    'tools/list': (request) => {
      refuseCursor(request.params);
      return reply(request, tools());
    },
    'tools/call': callTool(deps),
    'subscriptions/listen': (request, era) => {
      const { taskIds } = readListen(request.params);
      if (deps.tasks !== undefined && taskIds !== undefined) demandTasks(era);
      return { kind: 'later', request };
    },
  });
};

/** The methods of the revisions before it. Source: lifecycle, utilities/ping, server/tools, server/utilities/logging. */
export const legacyMethods = (deps: MethodDeps): MethodOf => {
  const { face } = deps;
  const tools = lazy(() => JSON.stringify({ tools: face.tools(deps.offer) }));
  return methodTable<Method>({
    initialize: (request) => {
      const { protocolVersion, clientInfo } = readInitialize(request.params);
      const { capabilities, serverInfo } = face;
      const result = {
        protocolVersion: face.echoesVersion ? protocolVersion : agreedVersion(protocolVersion),
        capabilities,
        serverInfo: face.userAgent ? { ...serverInfo, user_agent: face.userAgent(clientInfo) } : serverInfo,
        ...(face.instructs && { instructions: deps.instructions }),
      };
      return reply(request, JSON.stringify(result));
    },
    ping: (request) => reply(request, '{}'),
    'tools/list': (request) => {
      if (face.texts === undefined) refuseCursor(request.params);
      return reply(request, tools());
    },
    'tools/call': callTool(deps),
    ...('logging' in face.capabilities && {
      'logging/setLevel': (request: Request) => {
        const level = readLevel(request.params);
        return { kind: 'level' as const, level, response: reply(request, '{}') };
      },
    }),
  });
};
