/** Visits the parts of a message that can hold handles: values that a server issues and a client sends back. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';

/** Members whose values are handles, whatever they look like. */
const HANDLE_NAME =
  /^(?:id|pid|uid|port|handle|token|cursor|session|ref)s?$|[a-z](?:Id|Pid|Uid|Port|Handle|Token|Cursor|Session|Ref|State)s?$|[_-](?:id|pid|uid|port|handle|token|cursor|session|ref)s?$/;
/** Members whose numbers are handles; a text in them may be a word. */
const NUMBER_NAME = /^(?:fd|job|task|process|thread|tab|window|connection|channel|timer)$/;
/** Members that name a request, or whose values both sides know before. */
const OTHER_NAME =
  /^(?:jsonrpc|requestId|progressToken|codex_mcp_tool_call_id|protocolVersion|clientInfo|serverInfo|capabilities|supportedVersions|io\.modelcontextprotocol\/.*)$/;

/** A string or a number in a message. */
export type Leaf = {
  text: string;
  /** Of the member that it is in. */
  name: string;
  isNumber: boolean;
  /** The member is for handles. */
  isNamed: boolean;
};

const leafOf = (value: string | number, name: string): Leaf => ({
  text: String(value),
  name,
  isNumber: typeof value === 'number',
  isNamed: HANDLE_NAME.test(name) || (typeof value === 'number' && NUMBER_NAME.test(name)),
});

/** The parts of a message that can hold handles: its body without ids of requests. */
const bodyOf = (message: JsonObject): [name: string, part: unknown][] =>
  BODIES.flatMap((name): [string, unknown][] => (name in message ? [[name, message[name]]] : []));

const BODIES = ['params', 'result', 'error'];

const membersOf = (object: JsonObject): [name: string, part: unknown][] =>
  Object.entries(object).filter(([name]) => !OTHER_NAME.test(name));

/** Calls `visit` with each leaf of a message, or of each message of a batch. */
export const visitMessage = (message: unknown, visit: (leaf: Leaf) => void): void => {
  if (Array.isArray(message)) for (const one of message) visitMessage(one, visit);
  else if (isObject(message)) for (const [name, part] of bodyOf(message)) visitLeaves(part, visit, name);
};

const visitLeaves = (value: unknown, visit: (leaf: Leaf) => void, name: string): void => {
  if (isLeaf(value)) visit(leafOf(value, name));
  else if (Array.isArray(value)) for (const one of value) visitLeaves(one, visit, name);
  else if (isObject(value)) for (const [member, one] of membersOf(value)) visitLeaves(one, visit, member);
};

/** The message with other leaves; a leaf for which `change` returns undefined stays. */
export const mapMessage = (message: unknown, change: (leaf: Leaf) => unknown): unknown => {
  if (Array.isArray(message)) return message.map((one) => mapMessage(one, change));
  if (!isObject(message)) return message;
  return {
    ...message,
    ...Object.fromEntries(bodyOf(message).map(([name, part]) => [name, mapLeaves(part, change, name)])),
  };
};

const mapLeaves = (value: unknown, change: (leaf: Leaf) => unknown, name: string): unknown => {
  if (isLeaf(value)) return change(leafOf(value, name)) ?? value;
  if (Array.isArray(value)) return value.map((one) => mapLeaves(one, change, name));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, one]) => [
      member,
      OTHER_NAME.test(member) ? one : mapLeaves(one, change, member),
    ]),
  );
};

/** Calls `visit` with each pair of leaves that have the same place in two messages. */
export const visitBoth = (recorded: unknown, now: unknown, visit: (recorded: Leaf, now: Leaf) => void): void => {
  const both = (one: unknown, other: unknown, name: string): void => {
    if (isLeaf(one)) {
      if (isLeaf(other)) visit(leafOf(one, name), leafOf(other, name));
    } else if (Array.isArray(one)) {
      if (Array.isArray(other)) for (const [i, part] of one.entries()) both(part, other[i], name);
    } else if (isObject(one) && isObject(other)) {
      for (const [member, part] of membersOf(one)) both(part, other[member], member);
    }
  };
  if (!isObject(recorded) || !isObject(now)) return;
  for (const [name, part] of bodyOf(recorded)) both(part, now[name], name);
};

const isLeaf = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';
