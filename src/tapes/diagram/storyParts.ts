/** The sessions of a story: they are collected from the items of tapes, within a time and within bounds; and the calls that link them are found. */
import { basename } from 'node:path';
import { isObject, type JsonObject, toObject, wordOf } from '../../protocol/jsonrpc/json';
import type { Entry, NumberedEntry, TapeItem } from '../format/tape';
import { toCanonical } from '../matching/matchKey';
import type { IndexedMessage, SessionIndex } from '../session/sessionIndex';
import { toSessionIndex } from '../session/toSessionIndex';
import { isDrawn } from './looks';

/** A session of a story. */
export type StoryPart = {
  /** Of the server or the agent; sessions of one name share their lanes. */
  name: string;
  /** The agent comes first. */
  role: 'agent' | 'server';
  /** The name of the file, for people. */
  tape: string;
  /** In ms since 1970. */
  startMs: number;
  index: SessionIndex;
};

/** What belongs to a story. */
type StoryBounds = {
  /** In ms since 1970. */
  fromMs: number;
  /** In ms since 1970; not part of it. */
  untilMs: number;
  /** How many lines it has at most. */
  maxLines: number;
  /** How many characters its lines have at most. */
  maxChars: number;
};

type Collecting = { tape: string; meta: JsonObject; startMs: number; entries: NumberedEntry[] };

/** What was collected. */
export type CollectedStory = {
  parts: StoryPart[];
  /** Lines within the time that were too many. */
  left: number;
  /** Sessions without a date, which have no place on the time line. */
  undated: number;
};

/** Takes the items of one tape after the other. */
export const storyCollector = (bounds: StoryBounds) => {
  const sessions: Collecting[] = [];
  let undated = 0;
  const { belongs, left } = countingBounds(bounds);
  /** The items of one tape. @param tape its name for people */
  const open = (tape: string) => {
    let session: Collecting | undefined;
    return (item: TapeItem): void => {
      if (item.kind === 'meta') {
        session = { tape, meta: item.meta, startMs: startOf(item.meta), entries: [] };
        sessions.push(session);
        if (Number.isNaN(session.startMs)) undated += 1;
      }
      if (item.kind === 'entry' && session && belongs(session.startMs, item.entry))
        session.entries.push({ lineNumber: item.lineNumber, entry: item.entry });
    };
  };
  const end = (): CollectedStory => ({
    parts: sessions.filter(({ entries }) => entries.length > 0).map(toPart),
    left: left(),
    undated,
  });
  return { open, end };
};

/** Whether an entry belongs to the story; counts what is taken, and what is left. */
const countingBounds = ({ fromMs, untilMs, maxLines, maxChars }: StoryBounds) => {
  let [lines, chars, left] = [0, 0, 0];
  const belongs = (startMs: number, entry: Entry): boolean => {
    const atMs = startMs + entry.t;
    if (!(atMs >= fromMs && atMs < untilMs) || !isDrawn(entry) || entry.line.trim() === '') return false;
    if (lines >= maxLines || chars + entry.line.length > maxChars) {
      left += 1;
      return false;
    }
    lines += 1;
    chars += entry.line.length;
    return true;
  };
  return { belongs, left: () => left };
};

/** The latest time that a Date can hold. */
const MAX_MS = 8.64e15;

const startOf = ({ started }: JsonObject): number => {
  const ms = typeof started === 'string' ? Date.parse(started) : Number.NaN;
  return Math.abs(ms) <= MAX_MS ? ms : Number.NaN;
};

const toPart = ({ tape, meta, startMs, entries }: Collecting): StoryPart => {
  const index = toSessionIndex({ meta, entries });
  const isOfAcp = /^ACP /.test(wordOf(index.parties.protocol ?? meta.protocol));
  const isAgent = isOfAcp || typeof meta.thread === 'string' || index.seamCalls.length > 0;
  return { name: nameOf(meta, index.parties.server), role: isAgent ? 'agent' : 'server', tape, startMs, index };
};

const nameOf = ({ thread, server, command }: JsonObject, party: JsonObject | undefined): string => {
  if (typeof thread === 'string') return `agent ${thread.slice(0, 8)}`;
  const [program] = Array.isArray(command) ? command : [];
  const names = [
    party?.name,
    isObject(server) ? server.name : server,
    typeof program === 'string' ? basename(program) : '',
  ];
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? 'server';
};

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
  const [, tool] = /^(?:mcp__.+?__|[\w-]+\.)(.+)$/.exec(wordOf(name)) ?? [];
  return tool === undefined ? undefined : toKey(tool, rawInput);
};

const keyOfCall = ({ server, tool, arguments: given }: JsonObject): string | undefined => {
  if (typeof tool !== 'string') return undefined;
  const [, own] = server === 'codex' ? (/__(.+)$/.exec(tool) ?? []) : []; // a rollout may name the server in the tool
  return toKey(own ?? tool, given);
};

/** Missing arguments are the same as none. */
const toKey = (tool: string, given: unknown): string => `${tool} ${toCanonical(given ?? {})}`;
