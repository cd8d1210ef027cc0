/** Checks a script and describes its faults. Loads zod, so it is itself loaded only by the first script. */
import * as z from 'zod/mini';
import type { $ZodIssue, $ZodRawIssue } from 'zod/v4/core';

/** A fault of a document, with its place as a zod path. */
type ScriptFault = { path: PropertyKey[]; message: string };

/** Checks a value as a script. Unknown keys are faults, because they are usually misspelt. */
export const checkScript = (value: unknown): { script: Script } | { faults: ScriptFault[] } => {
  const read = z.safeParse(scriptSchema(), value, { error: toMessage });
  return read.success ? { script: read.data } : { faults: read.error.issues.map(toDeepest) };
};

/** A whole document. `scenes` answer a user message that matches their pattern `when`, one answer per round of tool calls; `otherwise` answers the rest. */
export type Script = z.infer<ReturnType<typeof scriptSchema>>;
/** One answer of the model; `fault` comes after the items, `faultTimes` times, by default always. */
export type ScriptStep = z.infer<ReturnType<typeof stepSchema>>;
/** One item of an answer; `deltas` is the number of pieces into which a text is cut, or the pieces. */
export type ScriptItem = ScriptStep['items'][number];
/** Tokens to report; what is left out is reported as null, or for `total_tokens` as the sum. */
export type ScriptUsage = z.infer<ReturnType<typeof usageSchema>>;
/** How an answer fails: broken off, silent, with an error, or with a fault of the server, which its client gets as a JSON-RPC error. */
export type Fault = NonNullable<ScriptStep['fault']>;

const scriptSchema = () => {
  const count = z.int().check(z.minimum(0));
  const step = stepSchema(count);
  const when = z.string().check(z.refine(isPattern, { error: 'not a regular expression' }));
  const scene = z.strictObject({ when, answers: z.array(step) });
  return z.strictObject({ scenes: z.optional(z.array(scene)), otherwise: z.optional(step) });
};

type Count = z.ZodMiniNumberFormat;

const stepSchema = (count: Count) => {
  const ms = z.optional(z.number().check(z.minimum(0)));
  const fault = z.union([
    z.literal(['cut', 'hang']),
    z.strictObject({ error: z.string(), retryable: z.optional(z.boolean()) }),
    z.strictObject({ rpcError: z.strictObject({ code: z.int(), message: z.string() }) }),
  ]);
  return z.strictObject({
    items: z.array(itemSchema(count)),
    usage: z.optional(z.nullable(usageSchema(count))),
    delayMs: ms,
    deltaDelayMs: ms,
    fault: z.optional(fault),
    faultTimes: z.optional(count),
  });
};

const itemSchema = (count: Count) =>
  z.union([
    z.strictObject({ text: z.string(), deltas: z.optional(z.union([count, z.array(z.string())])) }),
    z.strictObject({ reasoning: z.array(z.string()), deltas: z.optional(count) }),
    z.strictObject({
      call: z.string(),
      args: z.union([z.record(z.string(), z.unknown()), z.string()]),
      id: z.optional(z.string()),
    }),
    z.strictObject({ delayMs: z.number().check(z.minimum(0)) }),
  ]);

const usageSchema = (count: Count) => {
  const tokens = z.optional(z.nullable(count));
  return z.strictObject({
    input_tokens: count,
    output_tokens: count,
    cached_input_tokens: tokens,
    reasoning_output_tokens: tokens,
    total_tokens: z.optional(count),
  });
};

const isPattern = (text: string): boolean => {
  try {
    return Boolean(new RegExp(text));
  } catch {
    return false; // the caller reports it, with the place
  }
};

const toMessage = (issue: $ZodRawIssue): string | undefined => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? `missing, expected ${issue.expected}` : `expected ${issue.expected}`;
    case 'unrecognized_keys':
      return `unknown key ${(issue.keys as string[]).map((key) => JSON.stringify(key)).join(', ')}`;
    case 'too_small':
      return `must be at least ${issue.minimum}`;
    case 'invalid_value':
      return `expected one of ${(issue.values as string[]).map((value) => JSON.stringify(value)).join(', ')}`;
    case 'invalid_union':
      return 'matches none of the forms allowed here';
    default:
      return undefined;
  }
};

/** If one of several forms nearly fits, its single fault helps more than the statement that none fits. */
const toDeepest = (issue: $ZodIssue): ScriptFault => {
  const near = issue.code === 'invalid_union' ? issue.errors.filter((faults) => faults.length === 1) : [];
  const fault = near.length === 1 ? near[0]?.[0] : undefined;
  return fault === undefined ? issue : toDeepest({ ...fault, path: [...issue.path, ...fault.path] } as $ZodIssue);
};
