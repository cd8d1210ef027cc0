/** What the Codex methods share: reading params, and mapping errors to the error of the response. */
import { catchError, defer, type Observable } from 'rxjs';
import type * as z from 'zod/mini';
import { checkParams } from '../protocol/jsonrpc/checkParams';
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  type Notification,
  type Request,
  RpcError,
} from '../protocol/jsonrpc/messages';
import { HostError } from '../protocol/methods/host';
import type { Result } from '../protocol/rpc/answerOnce';
import type { Method } from '../protocol/rpc/router';
import { ConfigError } from '../settings/faults/configError';

/** A method that answers when it is done, and may send notifications. */
export type CodexMethod = Method<Request, Notification>;

/** The params as the schema types them; null counts as absent. Throws RpcError -32602 with the field. Source: Codex 0.28.0. */
export const readParams = <S extends z.core.$ZodType>(schema: S, { params }: Request): z.core.output<S> =>
  checkParams(schema, Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)));

type FaultText = { code: number; prefix: string };

/** Runs a method; a wrong configuration and a fault of the machine become the error of its response. */
export const withFaults = (
  { code, prefix }: FaultText,
  run: () => Observable<Result | Notification>,
): Observable<Result | Notification> =>
  defer(run).pipe(
    catchError((error: unknown) => {
      if (error instanceof ConfigError || error instanceof HostError) throw new RpcError(code, prefix + error.message);
      throw error;
    }),
  );

/** Source: Codex 0.28.0, WIRE 10.1: -32600 if the request cannot be served, -32603 if this machine cannot. */
export const badRequest = (prefix: string): FaultText => ({ code: INVALID_REQUEST, prefix });
/** The error of a failure on this machine. */
export const badMachine = (prefix: string): FaultText => ({ code: INTERNAL_ERROR, prefix });
