/** Owns the arguments of the tools a model is offered: their schemas and reading them. */
import * as z from 'zod/mini';
import { faultsOf, isObject, type JsonObject, type JsonSchema, type ToolSpec } from '../protocol';

const ShellArguments = z.looseObject({
  command: z
    .array(z.string())
    .check(z.minLength(1))
    .check(z.describe('The program and its arguments; no shell is involved.')),
  workdir: z.optional(z.string().check(z.describe('Folder to run in; relative to the folder of the session.'))),
  timeout_ms: z.optional(
    z.int().check(z.nonnegative()).check(z.describe('Time limit in milliseconds. Default: 10000.')),
  ),
  with_escalated_permissions: z.optional(
    z.boolean().check(z.describe('Ask the user for leave to run without restrictions.')),
  ),
  justification: z.optional(
    z.string().check(z.describe('One sentence for the user: why this must run without restrictions.')),
  ),
});

const PlanArguments = z.strictObject({
  explanation: z.optional(z.string()),
  plan: z.array(z.strictObject({ step: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) })),
});

export type ShellArguments = z.output<typeof ShellArguments>;
export type PlanArguments = z.output<typeof PlanArguments>;

const toParameters = (schema: z.ZodMiniObject): JsonSchema => {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input' });
  return { ...parameters, additionalProperties: false };
};

/** The tool that runs commands. */
export const shellSpec = (): ToolSpec => ({
  type: 'function',
  name: 'shell',
  description: 'Runs a command and returns its output. Use ["bash", "-lc", "…"] where a shell is needed.',
  strict: false,
  parameters: toParameters(ShellArguments),
});

/** The tool that shows the user a plan. */
export const planSpec = (): ToolSpec => ({
  type: 'function',
  name: 'update_plan',
  description: 'Shows the user the plan of the work, step by step. At most one step is in progress at a time.',
  strict: false,
  parameters: toParameters(PlanArguments),
});

/** The arguments, or what is wrong with them in words for the model. `timeout` is an older name of `timeout_ms`. */
export const readShellArguments = (text: string): ShellArguments | string => {
  const value = readJson(text);
  if (typeof value === 'string') return value;
  const { timeout, ...rest } = value;
  return read(ShellArguments, timeout === undefined ? rest : { timeout_ms: timeout, ...rest });
};

export const readPlanArguments = (text: string): PlanArguments | string => {
  const value = readJson(text);
  return typeof value === 'string' ? value : read(PlanArguments, value);
};

const FAILED = 'failed to parse function arguments';

/** The members that were given; null counts as not given, as it did in 0.28.0. */
const readJson = (text: string): JsonObject | string => {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return `${FAILED}: expected an object`;
    return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
  } catch (error) {
    return `${FAILED}: ${(error as Error).message}`;
  }
};

const read = <S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> | string => {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : `${FAILED}: ${faultsOf(parsed.error, 'arguments')}`;
};
