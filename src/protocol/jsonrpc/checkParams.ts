/** Checks a peer's params against a zod schema; an error names the path of each fault. */

import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { INVALID_PARAMS, RpcError } from './messages';

z.config(en());

/** What the library says of a value of another type; a member that is not there is `undefined`. */
const OF_TYPE = /^Invalid input: expected (\w+), received (\w+)$/;

/** The faults of a value, each with its path from `root`: `params.name is missing`, `params.name must be a string, not a number`. */
export const faultsOf = (error: z.core.$ZodError, root: string): string =>
  error.issues.map((issue) => toFaultText([root, ...issue.path].join('.'), issue.message)).join('; ');

const toFaultText = (path: string, message: string): string => {
  const [, expected = '', received = ''] = OF_TYPE.exec(message) ?? [];
  if (received === 'undefined') return `${path} is missing`;
  return expected === ''
    ? `${path}: ${message}`
    : `${path} must be ${withArticle(expected)}, not ${withArticle(received)}`;
};

const withArticle = (type: string): string =>
  type === 'null' ? type : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;

/** The value as the schema types it; RpcError -32602 with the path of the fault otherwise. */
export const checkParams = <S extends z.core.$ZodType>(schema: S, params: unknown): z.core.output<S> => {
  const parsed = z.safeParse(schema, params);
  if (parsed.success) return parsed.data;
  throw new RpcError(INVALID_PARAMS, `Invalid params: ${faultsOf(parsed.error, 'params')}`);
};
