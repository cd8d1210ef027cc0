/** Checks the params and results of a peer against a zod schema; an error names the path of each fault. */
import { map, type OperatorFunction } from 'rxjs';
import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { listed } from '../../streams/text/reasons';
import { isObject } from './json';
import { INVALID_PARAMS, RpcError } from './messages';

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

/**
 * Each result as the schema types it. Errors for a result that does not fit, with the path of the fault.
 * @param source whose result it is, such as `the exec-server's result of process/read`
 */
export const checkResult =
  <S extends z.core.$ZodType>(schema: () => S, source: string): OperatorFunction<unknown, z.core.output<S>> =>
  (result$) =>
    result$.pipe(
      map((result) => {
        const parsed = z.safeParse(schema(), result);
        if (parsed.success) return parsed.data;
        throw new Error(`${source} cannot be read: ${faultsOf(parsed.error, 'result')}`);
      }),
    );

/** For the kinds of faults that are rare here. */
const english = en().localeError;

/** Types whose names in zod are not plain English. */
const NOUNS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  object: 'an object',
  record: 'an object',
};

/** A predicate whose subject is the path of the value, such as `must be a string, not a number`. Faults of other kinds use zod's words. */
export const issueText = (issue: z.core.$ZodRawIssue): string => {
  const { input } = issue;
  const isOfType = issue.code === 'invalid_type' || issue.code === 'invalid_value' || issue.code === 'invalid_union';
  if (isOfType && input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${nounOf(issue.expected)}, not ${typeOf(input)}`;
    case 'invalid_value':
      return `must be ${listed(issue.values.map((value) => JSON.stringify(value)))}`;
    case 'unrecognized_keys':
      return `must not have ${listed(issue.keys.map((key) => JSON.stringify(key)))}`;
    case 'too_small':
      if (issue.origin === 'number') return `must be at least ${issue.minimum}`;
      return issue.minimum === 1 ? 'must not be empty' : `is wrong: ${wordsOf(english(issue))}`;
    case 'too_big':
      return issue.origin === 'number' ? `must be at most ${issue.maximum}` : `is wrong: ${wordsOf(english(issue))}`;
    default:
      return `is wrong: ${wordsOf(english(issue))}`;
  }
};

const wordsOf = (text: ReturnType<typeof english>): string => (typeof text === 'string' ? text : (text?.message ?? ''));

const nounOf = (type: string): string => NOUNS[type] ?? `a ${type}`;

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  return typeof value === 'boolean' ? String(value) : `a ${typeof value}`;
};

z.config({ localeError: issueText });
