/** The method that a request names, in its era, and the error responses of its faults. */
import type { Log } from '../../../log';
import { INTERNAL_ERROR, METHOD_NOT_FOUND, type Request, RpcError, toErrorObject } from '../../../protocol/jsonrpc';
import { clip } from '../../../text';
import type { Command } from '../command';
import { type Client, eraOf } from '../withClient';
import { legacyMethods } from './legacyMethods';
import type { MethodDeps } from './method';
import { modernMethods } from './modernMethods';

/**
 * `(request, client) => command`. Never throws: a fault of the client becomes the error of its response,
 * and so does a bug, which is logged with its stack.
 */
export const routeRequest = (deps: MethodDeps): ((request: Request, client: Client) => Command) => {
  const legacy = legacyMethods(deps);
  const modern = modernMethods(deps);
  return (request, client) => {
    try {
      const era = eraOf(request, client);
      const method = (era.modern ? modern : legacy)[request.method];
      if (!method) throw unknownMethod(request.method);
      return method(request, era);
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

const unknownMethod = (name: string): RpcError => {
  const method = clip(name, MAX_METHOD_CHARS);
  return new RpcError(METHOD_NOT_FOUND, `Method not found: ${method}`, { method });
};

/** How much of an unknown name is sent back. */
const MAX_METHOD_CHARS = 200;

const toRpcError = (error: unknown, log: Log): RpcError => {
  if (error instanceof RpcError) return error;
  log('error', 'a request failed because of a bug', { stack: (error as Error).stack });
  return new RpcError(INTERNAL_ERROR, 'Internal error');
};
