/** Checks a peer's params against a zod schema; an error names the path of each fault. */

import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { INVALID_PARAMS, RpcError } from './messages';

z.config(en());

/** The faults of a value, each with its path from `root`: `params.name: Invalid input: expected string …`. */
export const faultsOf = (error: z.core.$ZodError, root: string): string =>
  error.issues.map((issue) => `${[root, ...issue.path].join('.')}: ${issue.message}`).join('; ');

/** The value as the schema types it; RpcError -32602 with the path of the fault otherwise. */
export const checkParams = <S extends z.core.$ZodType>(schema: S, params: unknown): z.core.output<S> => {
  const parsed = z.safeParse(schema, params);
  if (parsed.success) return parsed.data;
  throw new RpcError(INVALID_PARAMS, `Invalid params: ${faultsOf(parsed.error, 'params')}`);
};
