/** Owns the methods of the revisions that open with `initialize`. */
import { checkParams, InitializeParams, lazily, type Request, SetLevelParams } from '../../protocol';
import { callTool } from './callTool';
import { agree } from './client';
import { checkList, type Method, type MethodDeps, reply, table } from './method';

/** Source: lifecycle, utilities/ping, server/tools, server/utilities/logging. */
export const legacyMethods = (deps: MethodDeps): Record<string, Method> => {
  const { face } = deps;
  const tools = lazily(() => JSON.stringify({ tools: face.tools() }));
  return table({
    initialize: (request) => {
      const { protocolVersion } = checkParams(InitializeParams(), request.params);
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
    'tools/call': callTool(deps),
    ...('logging' in face.capabilities && {
      'logging/setLevel': (request: Request) => {
        const { level } = checkParams(SetLevelParams(), request.params);
        return { kind: 'level' as const, level, response: reply(request, '{}') };
      },
    }),
  });
};
