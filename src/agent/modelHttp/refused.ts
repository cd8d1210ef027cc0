/** What a model server has refused of the requests of a thread: the next requests do without it. */
import type { FunctionSpec, ToolSpec } from '../../protocol/model/request';
import { openSchema, type Reduction, reduceSchema } from '../toolServers/reduceSchema';

export type Refused = {
  /** The names of members, each of which the request can do without. */
  members: ReadonlySet<string>;
  /** How far the schemas of tools are reduced, by the name of the tool. */
  schemas: Readonly<Record<string, Reduction>>;
  /** How far those of all other tools are reduced; undefined if they are sent as they are. */
  allSchemas?: Reduction;
};

/** Of a server that has refused nothing. */
export const NOTHING_REFUSED: Refused = { members: new Set(), schemas: {} };

/** Each member that a request can do without, and the text with which a server refuses it. */
export type Refusable = Readonly<Record<string, RegExp>>;

/** The response of a server that does not take the request. */
type Refusal = { status: number; body: string };

/** Statuses of servers that do not take a request as it is; llama.cpp and vLLM have reported so with 500. */
const STATUSES = [400, 422, 500, 501];

/**
 * What the server has refused after this response; undefined if it has refused nothing more. Each step takes something away, so that a request is repeated
 * a few times at most.
 * Source: answers of xAI, Azure, Databricks, DeepSeek, OpenAI, Gemini, Anthropic, Groq and llama.cpp, quoted in public reports.
 */
export const refusedAfter = (
  { refusable, tools }: { refusable: Refusable; tools: readonly ToolSpec[] },
  refused: Refused,
  { status, body }: Refusal,
): Refused | undefined => {
  if (!STATUSES.includes(status)) return undefined;
  const member = Object.keys(refusable).find((name) => !refused.members.has(name) && refusable[name]?.test(body));
  if (member !== undefined) return { ...refused, members: new Set([...refused.members, member]) };
  return SCHEMA.test(body) ? withSchemas(refused, body, tools.filter(isFunction)) : undefined;
};

const SCHEMA =
  /\bschema|function_declarations|tools?[[.]\d|\bparameters\b.*\b(?:invalid|unknown|unsupported|not supported)|grammar/i;

const isFunction = (tool: ToolSpec): tool is FunctionSpec => tool.type === 'function';

const NEXT: Readonly<Record<Reduction | 'none', Reduction | undefined>> = {
  none: 'choices',
  choices: 'objects',
  objects: undefined,
};

/** A text that names tools is about these, until it has been so often: then about all. */
const MAX_NAMED = 4;

const withSchemas = (refused: Refused, body: string, tools: readonly FunctionSpec[]): Refused | undefined => {
  const { schemas, allSchemas } = refused;
  const named = tools.flatMap(({ name }) => {
    const next = body.includes(name) ? nextOf(refused, name) : undefined;
    return next === undefined ? [] : [[name, next] as const];
  });
  if (named.length > 0 && Object.keys(schemas).length < MAX_NAMED)
    return { ...refused, schemas: { ...schemas, ...Object.fromEntries(named) } };
  const next = NEXT[allSchemas ?? 'none'];
  return next === undefined || tools.length === 0 ? undefined : { ...refused, schemas: {}, allSchemas: next };
};

const nextOf = ({ schemas, allSchemas }: Refused, name: string): Reduction | undefined =>
  NEXT[schemas[name] ?? allSchemas ?? 'none'];

/** The tools with the schemas that the server has not refused. A tool is never left out: one whose schema cannot be reduced takes any object. */
export const acceptedTools = (tools: readonly ToolSpec[], { schemas, allSchemas }: Refused): ToolSpec[] =>
  tools.map((tool) => {
    const reduction = isFunction(tool) ? (schemas[tool.name] ?? allSchemas) : undefined;
    if (!isFunction(tool) || reduction === undefined) return tool;
    return { ...tool, parameters: reduceSchema(tool.parameters, reduction) ?? openSchema };
  });
