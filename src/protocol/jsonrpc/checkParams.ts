/** Checks a peer's params against a zod schema; an error names the path of each fault. */

import * as z from 'zod/mini';
import { issueText } from './issueText';
import { INVALID_PARAMS, RpcError } from './messages';

z.config({ localeError: issueText });

/** The faults of a value, each with its path: from `root`, as in `params.name must be a string, not a number`, or in backticks without one. */
export const faultsOf = (error: z.core.$ZodError, root?: string): string =>
  error.issues
    .map(({ path, message }) => {
      const place = root === undefined ? `\`${path.join('.')}\`` : [root, ...path].join('.');
      return `${place} ${message}`;
    })
    .join('; ');

/** The value as the schema types it; throws RpcError -32602 with the path of each fault. */
export const checkParams = <S extends z.core.$ZodType>(schema: S, params: unknown): z.core.output<S> => {
  const parsed = z.safeParse(schema, params);
  if (parsed.success) return parsed.data;
  throw new RpcError(INVALID_PARAMS, `Invalid params: ${faultsOf(parsed.error, 'params')}`);
};
