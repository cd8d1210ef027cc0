/** The methods of 2026-07-28. */

import { checkParams } from '../../../protocol/jsonrpc/checkParams';
import { SUPPORTED_VERSIONS } from '../../../protocol/mcp/mcp';
import { ListenParams } from '../../../protocol/mcp/params';
import { methodTable } from '../../../protocol/rpc/router';
import { lazy } from '../../../streams/lazy/lazy';
import { callTool } from './callTool';
import { type Method, type MethodDeps, type MethodOf, refuseCursor, reply, serverMeta } from './method';

const RESULT_TTL_MS = 3_600_000;

/** Source: 2026-07-28 server/discover, basic "ResultType", server/utilities/caching. */
export const modernMethods = (deps: MethodDeps): MethodOf => {
  const { face } = deps;
  const cached = { resultType: 'complete', ttlMs: RESULT_TTL_MS, cacheScope: 'public', _meta: serverMeta(face) };
  const tools = lazy(() => JSON.stringify({ ...cached, tools: face.tools() }));
  const discovery = lazy(() =>
    JSON.stringify({
      ...cached,
      supportedVersions: SUPPORTED_VERSIONS,
      capabilities: face.capabilities,
      ...(face.instructs && { instructions: deps.instructions }),
    }),
  );
  return methodTable<Method>({
    'server/discover': (request) => reply(request, discovery()),
    'tools/list': (request) => {
      refuseCursor(request.params);
      return reply(request, tools());
    },
    'tools/call': callTool(deps),
    'subscriptions/listen': (request) => {
      checkParams(ListenParams(), request.params);
      return { kind: 'later', request };
    },
  });
};
