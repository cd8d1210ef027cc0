/** The arguments of a tool: the schema that is offered to a model, and how its arguments are read. */
import * as z from 'zod/mini';
import { faultsOf } from '../../protocol/jsonrpc/checkParams';
import { isObject, type JsonObject, type JsonSchema } from '../../protocol/jsonrpc/json';
import type { FunctionSpec } from '../../protocol/model/request';
import { lazy } from '../../streams/lazy';

/** The schema of arguments in the form of a tool's specification. */
const toParameters = (schema: z.ZodMiniObject): JsonSchema => {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input' });
  return { ...parameters, additionalProperties: false };
};

/** The specification of a tool; made once, because a JSON Schema takes time to make. */
export const functionSpec = (name: string, description: string, schema: z.ZodMiniObject): (() => FunctionSpec) =>
  lazy(() => ({ type: 'function', name, description, strict: false, parameters: toParameters(schema) }));

/**
 * The arguments, or what is wrong with them, as text for the model. A member that is null counts as absent.
 * @param mend changes the members before they are checked
 * Source: Codex 0.28.0, CORE 6.1.
 */
export const readArguments = <S extends z.ZodMiniType>(
  schema: S,
  text: string,
  mend: (members: JsonObject) => JsonObject = (members) => members,
): z.output<S> | string => {
  const members = toMembers(text);
  if (typeof members === 'string') return members;
  const parsed = schema.safeParse(mend(members));
  return parsed.success ? parsed.data : `${FAILED}: ${faultsOf(parsed.error, 'arguments')}`;
};

const FAILED = 'failed to parse function arguments';

const toMembers = (text: string): JsonObject | string => {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return `${FAILED}: expected an object`;
    return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
  } catch (error) {
    return `${FAILED}: ${(error as Error).message}`;
  }
};
