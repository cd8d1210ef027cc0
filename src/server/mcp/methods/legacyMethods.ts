/** The methods of the revisions that open with `initialize`. */

import { checkParams } from '../../../protocol/jsonrpc/checkParams';
import type { Request } from '../../../protocol/jsonrpc/messages';
import { InitializeParams, SetLevelParams } from '../../../protocol/mcp/params';
import { methodTable } from '../../../protocol/rpc/router';
import { lazy } from '../../../streams/lazy/lazy';
import { agreedVersion } from '../withClient';
import { callTool } from './callTool';
import { type Method, type MethodDeps, type MethodOf, refuseCursor, reply } from './method';

/** Source: lifecycle, utilities/ping, server/tools, server/utilities/logging. */
export const legacyMethods = (deps: MethodDeps): MethodOf => {
  const { face } = deps;
  const tools = lazy(() => JSON.stringify({ tools: face.tools() }));
  return methodTable<Method>({
    initialize: (request) => {
      const { protocolVersion, clientInfo } = checkParams(InitializeParams(), request.params);
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
        const { level } = checkParams(SetLevelParams(), request.params);
        return { kind: 'level' as const, level, response: reply(request, '{}') };
      },
    }),
  });
};
