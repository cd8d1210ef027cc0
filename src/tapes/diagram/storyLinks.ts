/** Finds the calls of an agent's tools on the tapes of the servers that they went to. */
import { isObject, type JsonObject, toObject } from '../../protocol/jsonrpc/json';
import { toCanonical } from '../matching/matchKey';
import type { IndexedMessage, SessionIndex } from '../session/sessionIndex';

/** A session, and when it began in ms since 1970. */
type TimedSession = { index: SessionIndex; startMs: number };

/** An entry of a session, both as indices. */
export type StoryPlace = { session: number; entry: number };

/** From the line in which an agent calls a tool to the line in which its server gets the call. */
type StoryLink = { from: StoryPlace; to: StoryPlace };

/** So long before an agent says that it calls a tool, and after that, its server may get the call. */
const BEFORE_MS = 2_000;
const AFTER_MS = 60_000;

type ToolCall = StoryPlace & { atMs: number; key: string };

/**
 * Pairs each call of an agent with the nearest call in time that a server got with the same tool and the same arguments. No call of a
 * server is linked twice with one session of an agent. In the order of the agent's calls.
 */
export const linkCalls = (sessions: readonly TimedSession[]): StoryLink[] => {
  const received = new Map<string, ToolCall[]>();
  for (const call of callsBy(keyOfServer, sessions)) {
    const ofKey = received.get(call.key) ?? [];
    ofKey.push(call);
    received.set(call.key, ofKey);
  }
  const left = new Map<string, ToolCall[]>(); // what each agent may be linked with
  return callsBy(keyOfAgent, sessions).flatMap((call): StoryLink[] => {
    const own = `${call.session} ${call.key}`;
    const near = left.get(own) ?? [...(received.get(call.key) ?? [])];
    left.set(own, near);
    while ((near[0]?.atMs ?? Number.POSITIVE_INFINITY) < call.atMs - BEFORE_MS) near.shift();
    const found = nearest(near, call);
    if (found === undefined) return [];
    near.splice(near.indexOf(found), 1);
    return [{ from: placeOf(call), to: placeOf(found) }];
  });
};

const callsBy = (
  keyOf: (message: IndexedMessage) => string | undefined,
  sessions: readonly TimedSession[],
): ToolCall[] =>
  sessions
    .flatMap(({ index, startMs }, session) =>
      index.messages.flatMap((message): ToolCall[] => {
        const key = keyOf(message);
        return key === undefined ? [] : [{ session, entry: message.entry, atMs: startMs + message.t, key }];
      }),
    )
    .toSorted((a, b) => a.atMs - b.atMs);

const placeOf = ({ session, entry }: StoryPlace): StoryPlace => ({ session, entry });

/** Of calls in the order of time. */
const nearest = (near: readonly ToolCall[], call: ToolCall): ToolCall | undefined => {
  let best: ToolCall | undefined;
  const distance = ({ atMs }: ToolCall) => Math.abs(atMs - call.atMs);
  for (const one of near) {
    if (one.atMs > call.atMs + AFTER_MS || (best && distance(one) > distance(best))) break;
    if (one.session !== call.session && (!best || distance(one) < distance(best))) best = one;
  }
  return best;
};

const keyOfServer = ({ message, from }: IndexedMessage): string | undefined => {
  if (from !== 'client' || message.kind !== 'request' || message.method !== 'tools/call') return undefined;
  const { params } = message;
  return isObject(params) && typeof params.name === 'string' ? toKey(params.name, params.arguments) : undefined;
};

/**
 * The tool and the arguments that an agent calls, as Codex states them in an event, or an agent of ACP in an update. Source: mcp_tool_call_begin of codex
 * 0.28.0; item/started of 0.142.0; tool calls of codex-acp and claude-code-acp.
 */
const keyOfAgent = ({ message, from }: IndexedMessage): string | undefined => {
  if (from !== 'server' || message.kind !== 'notification' || !isObject(message.params)) return undefined;
  const { msg, item, update } = message.params;
  if (message.method === 'session/update') return keyOfUpdate(toObject(update));
  if (isObject(msg) && msg.type === 'mcp_tool_call_begin' && isObject(msg.invocation)) return keyOfCall(msg.invocation);
  const isItem = message.method === 'item/started' && isObject(item) && item.type === 'mcpToolCall';
  return isItem ? keyOfCall(item) : undefined;
};

/** The arguments may follow in a later update of the call. The name of the tool is among them, in metadata, or in the title behind that of its server. */
const keyOfUpdate = ({ rawInput, title, _meta }: JsonObject): string | undefined => {
  if (!isObject(rawInput)) return undefined;
  if (typeof rawInput.server === 'string' && typeof rawInput.tool === 'string') return keyOfCall(rawInput);
  const name = toObject(toObject(_meta).claudeCode).toolName ?? title;
  const [, tool] = /^(?:mcp__.+?__|[\w-]+\.)(.+)$/.exec(String(name)) ?? [];
  return tool === undefined ? undefined : toKey(tool, rawInput);
};

const keyOfCall = ({ server, tool, arguments: given }: JsonObject): string | undefined => {
  if (typeof tool !== 'string') return undefined;
  const [, own] = server === 'codex' ? (/__(.+)$/.exec(tool) ?? []) : []; // a rollout may name the server in the tool
  return toKey(own ?? tool, given);
};

/** Missing arguments are the same as none. */
const toKey = (tool: string, given: unknown): string => `${tool} ${toCanonical(given ?? {})}`;
