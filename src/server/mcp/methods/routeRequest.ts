/** The method that a request names, in its era, and the error responses of its faults. */
import { isCodexMethod, isConversationMethod } from '../../../protocol/codex/methodNames';
import type { Request } from '../../../protocol/jsonrpc/messages';
import { failureOutcome, unknownMethod } from '../../../protocol/rpc/failureOutcome';
import type { Command } from '../command';
import { type Client, eraOf } from '../withClient';
import { legacyMethods } from './legacyMethods';
import type { MethodDeps } from './method';
import { modernMethods } from './modernMethods';

/**
 * `(request, client) => command`. A Codex method belongs to no revision of MCP. Never throws: a fault of the client becomes the error of its response,
 * and so does a bug, which is logged with its stack.
 */
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
