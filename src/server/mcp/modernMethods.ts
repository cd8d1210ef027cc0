/** Owns the methods of 2026-07-28. */
import { checkParams, ListenParams, lazily, SUPPORTED_VERSIONS } from '../../protocol';
import { callTool } from './callTool';
import { checkList, type Method, type MethodDeps, reply, serverMeta, table } from './method';

const RESULT_TTL_MS = 3_600_000;

/** Source: 2026-07-28 server/discover, basic "ResultType", server/utilities/caching. */
export const modernMethods = (deps: MethodDeps): Record<string, Method> => {
  const { face } = deps;
  const cached = { resultType: 'complete', ttlMs: RESULT_TTL_MS, cacheScope: 'public', _meta: serverMeta(face) };
  const tools = lazily(() => JSON.stringify({ ...cached, tools: face.tools() }));
  const discovery = lazily(() =>
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
    'tools/call': callTool(deps),
    'subscriptions/listen': ({ id, params }) => {
      checkParams(ListenParams(), params);
      return { kind: 'listen', id };
    },
  });
};
