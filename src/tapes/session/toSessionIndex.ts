/** Builds the index of a session. */
import { isObject } from '../../protocol/jsonrpc/json';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { type Session, SIGNAL_NOTE } from '../format/tape';
import { type PairedCalls, type PairedSeamCalls, pairCalls, pairSeamCalls, requestOf } from './pairCalls';
import { type Parties, withParties } from './parties';
import { type ReadEntry, type ReadMessage, readEntries } from './readEntries';
import { type ClientLine, type IndexedMessage, type ServerLine, type SessionIndex, toExit } from './sessionIndex';

/** Indexes a session, in linear time. The index and its arrays are frozen; it shares the values of messages. See `SessionIndex`. */
export const toSessionIndex = (session: Session): SessionIndex => {
  const { entries, messages: read } = readEntries(session);
  const paired = pairCalls(read);
  const seams = pairSeamCalls(entries);
  const { threads, ofMessage, ofSeamCall } = assignThreads(entries, paired, seams);
  const messages = read.map((one) => toIndexed(one, paired, ofMessage[one.index]));
  const { clientLines, serverLines } = toLines(entries, paired);
  return freeze({
    meta: session.meta,
    entries: entries.map(({ lineNumber, entry, messages: own }, i) => ({
      lineNumber,
      entry,
      messages: own.map(({ index }) => messages[index] as IndexedMessage),
      seamCall: seams.seamCall[i],
    })),
    messages,
    clientLines,
    serverLines,
    calls: paired.calls,
    seamCalls: seams.seamCalls.map((call, i) => ({ ...call, thread: ofSeamCall[i] })),
    threads,
    parties: read.reduce<Parties>((known, { value }) => withParties(known, value), {}),
    ...endsOf(entries),
  });
};

/** Members are written out here and below: with spreads, `stats` of a tape of 300,000 lines takes 13 s of processor time instead of 5. */
const toIndexed = (one: ReadMessage, { opened, owner }: PairedCalls, thread: number | undefined): IndexedMessage => {
  const { index, from, entry, line, part, t, lineNumber, message, value } = one;
  const [call, owned] = [opened[index], owner[index]];
  return { index, from, entry, line, part, t, lineNumber, message, value, call, owner: owned, thread };
};

const endsOf = (entries: readonly ReadEntry[]): Pick<SessionIndex, 'inputEnded' | 'exit' | 'signalled'> => {
  const inputEnded = entries.findLastIndex(({ kind }) => kind === 'endOfInput');
  const exited = entries.findLastIndex(({ entry }) => entry.dir === 'exit');
  const exit = entries[exited];
  return {
    ...(inputEnded >= 0 && { inputEnded }),
    ...(exit && { exit: { entry: exited, ...toExit(exit.entry.line) } }),
    ...signalOf(entries),
  };
};

/** The last signal, unless the client sent more after it. */
const signalOf = (entries: readonly ReadEntry[]): Pick<SessionIndex, 'signalled'> => {
  const at = entries.findLastIndex(({ kind, entry: { dir, line } }) => {
    return kind === 'other' && dir === 'note' && line.startsWith(SIGNAL_NOTE);
  });
  const noted = entries[at];
  const isLast = noted !== undefined && !entries.slice(at).some((one) => one.kind === 'line' && one.from === 'client');
  return isLast ? { signalled: { entry: at, signal: noted.entry.line.slice(SIGNAL_NOTE.length) } } : {};
};

const freeze = (index: SessionIndex): SessionIndex => {
  for (const part of Object.values(index)) if (Array.isArray(part)) Object.freeze(part);
  return Object.freeze(index);
};

/** Source: codex 0.28.0 (sessionId), 0.142.0 (threadId), its events (session_id, thread_id), app-server (thread.id). */
const MEMBERS = ['threadId', 'conversationId', 'sessionId', 'thread_id', 'conversation_id', 'session_id'];
/** Members that contain such members, besides the message itself. */
const INSIDE = ['params', 'result', 'msg', 'arguments', '_meta', 'structuredContent'];

/** The thread that a message or a part of it names. */
export const threadIn = (value: unknown, depth = 0): string | undefined => {
  if (!isObject(value) || depth > 3) return undefined;
  for (const member of MEMBERS) {
    const id = value[member];
    if (typeof id === 'string' && id !== '') return id;
  }
  const { thread } = value;
  if (isObject(thread) && typeof thread.id === 'string' && thread.id !== '') return thread.id;
  for (const member of INSIDE) {
    const found = threadIn(value[member], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
};

type AssignedThreads = {
  /** In the order in which they are first named. */
  threads: string[];
  /** Indices into `threads`, by message. */
  ofMessage: (number | undefined)[];
  /** Indices into `threads`, by call at an inner seam. */
  ofSeamCall: (number | undefined)[];
};

/** Gives each message the thread that it names; messages without one get that of their call, and requests that of their messages. */
const assignThreads = (
  entries: readonly ReadEntry[],
  paired: PairedCalls,
  { seamCall }: PairedSeamCalls,
): AssignedThreads => {
  const threads = new Map<string, number>();
  const toIndex = (id: string): number => threads.get(id) ?? threads.set(id, threads.size).size - 1;
  const ofMessage: (number | undefined)[] = [];
  const ofSeamCall: (number | undefined)[] = [];
  for (const [i, { entry, messages }] of entries.entries()) {
    const call = entry.dir === 'in' ? seamCall[i] : undefined;
    const named = call === undefined ? undefined : threadIn(parseLine(entry.line).value);
    if (call !== undefined && named !== undefined) ofSeamCall[call] = toIndex(named);
    for (const { index, value } of messages) {
      const id = threadIn(value);
      if (id === undefined) continue;
      ofMessage[index] = toIndex(id);
      const request = requestOf(paired, index);
      if (request) ofMessage[request.index] ??= ofMessage[index];
    }
  }
  for (const { index } of paired.messages) ofMessage[index] ??= ofMessage[requestOf(paired, index)?.index ?? -1];
  return { threads: [...threads.keys()], ofMessage, ofSeamCall };
};

type Lines = { clientLines: ClientLine[]; serverLines: ServerLine[] };

/** Makes lines of entries. A batch belongs to the call of its first message that belongs to one. */
const toLines = (entries: readonly ReadEntry[], paired: PairedCalls): Lines => {
  const lines: Lines = { clientLines: [], serverLines: [] };
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'other') continue;
    if (entry.kind === 'line' && entry.from === 'server') addServerLine(lines, { entry, index }, paired);
    else addClientLine(lines, { entry, index }, paired);
  }
  return lines;
};

type Placed<K> = { entry: Extract<ReadEntry, { kind: K }>; index: number };

const addClientLine = (lines: Lines, { entry, index }: Placed<'line' | 'endOfInput'>, paired: PairedCalls): void => {
  const { lineNumber, kind } = entry;
  const { t, line } = entry.entry;
  const { value, messages } = entry.kind === 'line' ? entry.parsed : { value: undefined, messages: [] };
  const answers = firstOf(entry.messages, (one) => answeredLine(one, paired));
  lines.clientLines.push({ kind, entry: index, lineNumber, t, line, value, messages, answers });
  if (answers !== undefined) markAnswered(lines, answers);
};

const addServerLine = (lines: Lines, { entry, index }: Placed<'line'>, paired: PairedCalls): void => {
  const { line, value, messages } = entry.parsed;
  const clientLinesBefore = lines.clientLines.length;
  const owner = firstOf(entry.messages, (one) => ownerLine(lines, one, paired));
  lines.serverLines.push({
    line,
    value,
    messages,
    entry: index,
    lineNumber: entry.lineNumber,
    t: entry.entry.t,
    owner: owner ?? clientLinesBefore - 1,
    link: owner === undefined ? 'order' : 'named',
    clientLinesBefore,
    status: entry.entry.status,
  });
};

const firstOf = (messages: readonly ReadMessage[], find: (one: ReadMessage) => number | undefined) =>
  messages.length === 1 ? find(messages[0] as ReadMessage) : messages.map(find).find((line) => line !== undefined);

const answeredLine = ({ index }: ReadMessage, paired: PairedCalls): number | undefined =>
  paired.calls[paired.owner[index] ?? -1]?.response === index ? requestOf(paired, index)?.line : undefined;

const markAnswered = ({ clientLines, serverLines }: Lines, answers: number): void => {
  const request = serverLines[answers];
  if (request) serverLines[answers] = { ...request, answeredBy: clientLines.length - 1 };
};

/** The client's line that a message of the server belongs to; a cancel of its own request goes with that request. */
const ownerLine = ({ serverLines }: Lines, { index }: ReadMessage, paired: PairedCalls): number | undefined => {
  const request = requestOf(paired, index);
  if (request?.from !== 'server') return request?.line;
  const requestLine = serverLines[request.line];
  return requestLine?.link === 'named' ? requestLine.owner : undefined;
};
