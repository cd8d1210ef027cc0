/**
 * Puts the definitions of a schema where it refers to them: models get schemas without references. Own code: the packages that do this read files
 * and URLs as well, which a tool server could name, and make objects that contain themselves.
 */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';

/** How many objects may come from definitions; further references stay. Definitions that each refer to the next one twice double at each step. */
const MAX_OBJECTS = 10_000;

/**
 * A part of a schema, with each local reference (`#/$defs/NAME`) replaced by its definition, to which the members beside it are added.
 * A definition within itself has only its type. A reference that leads nowhere, or to another document, stays.
 * @param schema the whole schema, which has the definitions
 * Source: JSON Schema 2020-12, 8.2; JSON Pointer, RFC 6901. MCP servers in Python define each nested model so.
 */
export const inlineRefs = (schema: JsonObject, part: unknown): unknown => {
  let left = MAX_OBJECTS;
  const inline = (value: unknown, open: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((each) => inline(each, open));
    if (!isObject(value)) return value;
    if (open.length > 0) left -= 1;
    const { $ref: ref, ...beside } = value;
    const found = typeof ref === 'string' && left > 0 ? definitionOf(schema, ref) : undefined;
    if (typeof ref !== 'string' || found === undefined) return inlineMembers(value, open);
    const definition = open.includes(ref) ? { type: found.type ?? 'object' } : inline(found, [...open, ref]);
    return { ...(definition as JsonObject), ...inlineMembers(beside, open) };
  };
  const inlineMembers = (value: JsonObject, open: readonly string[]): JsonObject =>
    Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inline(each, open)]));
  return inline(part, []);
};

/** The object at the JSON pointer of a reference within its document. */
const definitionOf = (schema: JsonObject, ref: string): JsonObject | undefined => {
  const [document, ...names] = ref.split('/');
  if (document !== '#') return undefined;
  const found = names.map(decode).reduce<unknown>(memberOf, schema);
  return isObject(found) ? found : undefined;
};

const memberOf = (at: unknown, name: string): unknown =>
  isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;

const decode = (name: string): string => decodeUri(name).replaceAll('~1', '/').replaceAll('~0', '~');

const decodeUri = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
