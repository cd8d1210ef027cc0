/** Finds where messages name a request, by its id or its progress token, and renames it there. */
import { isObject, type JsonObject, toJson } from './json';
import { isRequestId, type RequestId } from './messages';
import { isOfDebugAdapter, type ParsedLine, type TapeMessage } from './parseLine';

type Naming = 'id' | 'token';

/** A name that a request has. */
type RequestName = { by: Naming; name: RequestId };

/** A name in the recording, and the name that replaces it now. */
export type Renaming = { by: Naming; recorded: RequestId; now: RequestId };

/** Members that name a request. Source: MCP schema; params of codex 0.28.0's codex/event and elicitation/create. */
const PARAMS: Record<string, Naming> = { requestId: 'id', codex_mcp_tool_call_id: 'id', progressToken: 'token' };
const META: Record<string, Naming> = {
  requestId: 'id',
  progressToken: 'token',
  'io.modelcontextprotocol/subscriptionId': 'id',
};

/** The same for an event whose `id` is the id of its request as text. Source: codex/event of codex 0.28.0. */
const EVENT_PARAMS: Record<string, Naming> = {
  requestId: 'id',
  codex_mcp_tool_call_id: 'id',
  progressToken: 'token',
  id: 'id',
};

const paramsOf = (message: TapeMessage): JsonObject =>
  'params' in message && isObject(message.params) ? message.params : {};
const metaOf = (params: JsonObject): JsonObject => (isObject(params._meta) ? params._meta : {});

const membersOf = (params: JsonObject): Record<string, Naming> => {
  const { requestId } = metaOf(params);
  return isRequestId(requestId) && params.id === String(requestId) ? EVENT_PARAMS : PARAMS;
};

/** The names of a request: its id and its progress token. */
export const namesOf = (message: TapeMessage): RequestName[] => {
  if (message.kind !== 'request') return [];
  const token = metaOf(paramsOf(message)).progressToken;
  return [{ by: 'id', name: message.id }, ...(isRequestId(token) ? [{ by: 'token', name: token } as const] : [])];
};

/** The requests that a message of the server names. */
export const referencesOf = (message: TapeMessage): RequestName[] => {
  if (message.kind === 'response') return message.id === null ? [] : [{ by: 'id', name: message.id }];
  const params = paramsOf(message);
  return [...named(params, PARAMS), ...named(metaOf(params), META)];
};

const named = (object: JsonObject, members: Record<string, Naming>): RequestName[] =>
  Object.entries(members).flatMap(([member, by]) => {
    const name = object[member];
    return isRequestId(name) ? [{ by, name }] : [];
  });

/** One text per name; a number and its text are the same name, as some members hold an id as text. */
export const nameKey = ({ by, name }: RequestName): string => `${by} ${name}`;

/** The line of the server with new names for requests; as it was written if none has changed. */
export const renameRequests = ({ line, value, messages }: ParsedLine, renamings: readonly Renaming[]): string => {
  const changed = new Map(
    renamings.flatMap((one) => (one.recorded === one.now ? [] : [[nameKey({ by: one.by, name: one.recorded }), one]])),
  );
  if (changed.size === 0 || value === undefined) return line;
  const one = (part: unknown, message: TapeMessage | undefined): unknown => {
    if (!isObject(part)) return part;
    if (message?.kind !== 'response')
      return isObject(part.params) ? { ...part, params: renamedParams(changed, part.params) } : part;
    const now = message.id === null ? undefined : changed.get(nameKey({ by: 'id', name: message.id }));
    return now === undefined ? part : withRequestId(part, now.now);
  };
  return toJson(Array.isArray(value) ? value.map((part, i) => one(part, messages[i])) : one(value, messages[0]));
};

/** The response with the id of another request. */
export const withRequestId = (response: JsonObject, id: RequestId): JsonObject =>
  isOfDebugAdapter(response) ? { ...response, request_seq: id } : { ...response, id };

type Changed = ReadonlyMap<string, Renaming>;

const renamedParams = (changed: Changed, params: JsonObject): JsonObject => {
  const renamed = renamedMembers(changed, params, membersOf(params));
  return isObject(renamed._meta) ? { ...renamed, _meta: renamedMembers(changed, renamed._meta, META) } : renamed;
};

/** A member that has a number as text keeps it as text. */
const renamedMembers = (changed: Changed, object: JsonObject, members: Record<string, Naming>): JsonObject =>
  Object.fromEntries(
    Object.entries(object).map(([member, name]) => {
      const by = members[member];
      const found = by !== undefined && isRequestId(name) ? changed.get(nameKey({ by, name })) : undefined;
      if (found === undefined) return [member, name];
      return [member, typeof name === typeof found.recorded ? found.now : String(found.now)];
    }),
  );

/** The message without any name of a request, for comparing two runs. */
export const withoutRequestNames = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutRequestNames);
  if (!isObject(value)) return value;
  if (isOfDebugAdapter(value)) return withoutNumbers(value);
  const { id: _id, ...rest } = value;
  if (!isObject(rest.params)) return rest;
  const params = blank(rest.params, membersOf(rest.params));
  return { ...rest, params: isObject(params._meta) ? { ...params, _meta: blank(params._meta, META) } : params };
};

const withoutNumbers = ({ seq, request_seq, ...rest }: JsonObject): JsonObject => rest;

const blank = (object: JsonObject, members: Record<string, Naming>): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([member, name]) => [member, members[member] ? '<id>' : name]));
