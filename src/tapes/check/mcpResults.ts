/** Checks the results of MCP: their shapes, the tools that a server lists, and what a tool promises of its structured content. */
import { fromJSONSchema } from 'zod'; // only the whole of zod reads JSON Schema
import { faultsOf } from '../../protocol/jsonrpc/checkParams';
import { isObject, type JsonObject, toObject } from '../../protocol/jsonrpc/json';
import { META_VERSION } from '../../protocol/mcp/mcp';
import { resultOf } from '../../protocol/mcp/results';
import { type MessageRules, protocolFault, requestOf } from './finding';

/** What is wrong with a value by a JSON Schema; undefined if nothing is. */
type Validate = (value: unknown) => string | undefined;

/** The output schemas by the names of their tools; undefined for a schema that cannot be checked. */
type Outputs = Map<string, Validate | undefined>;

/** Checks each first response that has a result. */
export const results = (): MessageRules => {
  const outputs: Outputs = new Map();
  let listed = new Set<unknown>();
  return (one, index) => {
    const { message } = one;
    const request = requestOf(one, index)?.message;
    if (message.kind !== 'response' || !('result' in message.body) || request?.kind !== 'request') return [];
    const { result } = message.body;
    if (!isObject(result)) return protocolFault('its result must be an object');
    const { method, params } = request;
    const isModern = META_VERSION in toObject(toObject(params)._meta);
    const kind = isModern && typeof result.resultType !== 'string' ? 'its result has no resultType' : undefined;
    if (isInterim(result)) return protocolFault(interimFault(result));
    const shape = shapeFault(method, result);
    if (method === 'tools/list') {
      if (toObject(params).cursor === undefined) listed = new Set();
      return protocolFault(kind, shape, ...toolFaults(result, { listed, outputs, isModern }));
    }
    return protocolFault(kind, shape, ...(method === 'tools/call' ? [outputFault(outputs, params, result)] : []));
  };
};

/** A result that is no end of the call: a question, or the handle of a task. */
const isInterim = ({ resultType, task }: JsonObject): boolean =>
  isObject(task) || (resultType !== undefined && resultType !== 'complete');

const interimFault = ({ resultType, inputRequests, requestState }: JsonObject): string | undefined =>
  resultType === 'input_required' && inputRequests === undefined && requestState === undefined
    ? 'its result has neither inputRequests nor requestState'
    : undefined;

const shapeFault = (method: string, result: JsonObject): string | undefined => {
  const parsed = resultOf(method)?.safeParse(result);
  return parsed === undefined || parsed.success ? undefined : `its ${faultsOf(parsed.error, 'result')}`;
};

type Listing = {
  /** The names of the tools on earlier pages; gets those of this page. */
  listed: Set<unknown>;
  outputs: Outputs;
  /** Since revision 2026-07-28, structured content may be any value. */
  isModern: boolean;
};

const toolFaults = ({ tools }: JsonObject, { listed, outputs, isModern }: Listing): string[] =>
  (Array.isArray(tools) ? tools : []).filter(isObject).flatMap((tool: JsonObject): string[] => {
    const { name, inputSchema, outputSchema } = tool;
    const isTwice = listed.has(name);
    listed.add(name);
    if (typeof name === 'string' && isObject(outputSchema)) outputs.set(name, toValidate(outputSchema));
    else if (typeof name === 'string') outputs.delete(name);
    const hasFault = isObject(inputSchema) && inputSchema.type !== 'object';
    return [
      ...(isTwice ? [`two tools have the name ${JSON.stringify(name)}`] : []),
      ...(hasFault ? [`the inputSchema of ${JSON.stringify(name)} must have the type "object"`] : []),
      ...(outputSchema === undefined || isObject(outputSchema)
        ? []
        : [`the outputSchema of ${JSON.stringify(name)} must be an object`]),
      ...(isObject(outputSchema) && outputSchema.type !== 'object' && !isModern
        ? [`the outputSchema of ${JSON.stringify(name)} must have the type "object"`]
        : []),
    ];
  });

const outputFault = (outputs: Outputs, params: unknown, result: JsonObject): string | undefined => {
  const { name } = toObject(params);
  if (typeof name !== 'string' || !outputs.has(name) || result.isError === true) return undefined;
  if (result.structuredContent === undefined) return `its tool has an outputSchema, but it has no structuredContent`;
  const fault = outputs.get(name)?.(result.structuredContent);
  return fault === undefined ? undefined : `by the outputSchema of its tool, its ${fault}`;
};

/** Finds what a value breaks of a schema; undefined for a schema that cannot be checked. */
export const toValidate = (schema: JsonObject): Validate | undefined => {
  try {
    const type = fromJSONSchema(withoutTexts(schema) as JsonObject);
    return (value) => {
      const parsed = type.safeParse(value);
      return parsed.success ? undefined : faultsOf(parsed.error, 'structuredContent');
    };
  } catch {
    return undefined; // zod does not know all of JSON Schema
  }
};

/** Members whose members are names, not keywords. */
const NAMES = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
/** Members that are values, not schemas. */
const VALUES = new Set(['enum', 'const', 'required', 'examples']);
/** A pattern may take longer than anybody lives, most formats are no assertion, and a default would hide what is missing. */
const LEFT_OUT = new Set(['pattern', 'format', 'default']);

const withoutTexts = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutTexts);
  if (!isObject(schema)) return schema;
  if ('patternProperties' in schema) throw new Error('patterns of names are not checked');
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, part]): [string, unknown][] => {
      if (LEFT_OUT.has(name)) return [];
      if (VALUES.has(name)) return [[name, part]];
      if (!NAMES.has(name) || !isObject(part)) return [[name, withoutTexts(part)]];
      return [[name, Object.fromEntries(Object.entries(part).map(([own, one]) => [own, withoutTexts(one)]))]];
    }),
  );
};
