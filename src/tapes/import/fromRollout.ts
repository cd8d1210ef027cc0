/** Imports a rollout of Codex: the messages of its user become calls of the tools `codex` and `codex-reply`. Also what all importers read and make. */
import { type JsonObject, wordOf } from '../../protocol/jsonrpc/json';
import type { Reduced } from '../../streams/gather';
import { type RolloutItem, readRolloutLine } from '../../threads/lines/readRolloutLine';
import { toSessionStart } from '../../threads/lines/sessionStart';
import type { Entry, LineProblem } from '../format/tape';
import { callPairer, type EndKinds, type Happened, learnEnd, type Timed } from './rolloutCalls';

/** A line of the file that holds an object. */
export type SourceLine = { lineNumber: number; value: JsonObject };

/** The `meta` of a session, and its first entries. */
type Imported = { meta: JsonObject; entries: Entry[] };

/** Makes the entries of a session. It is given the lines of a file twice, so that a large file is never in memory as a whole. */
export type Importer = {
  /** Takes a line at the first reading. */
  learn: (line: SourceLine) => void;
  /** What the session begins with; called between the readings. */
  begin: () => Imported;
  /** The entries of a line at the second reading. */
  read: (line: SourceLine) => Entry[];
  /** The entries after the last line. */
  end: () => Entry[];
};

/** Takes a line that cannot be used. */
export type Report = (problem: LineProblem) => void;

/** The latest time that a Date can hold. */
const MAX_MS = 8.64e15;

/** A time as files write it, in ms since 1970: ISO text, or a number of seconds, ms, µs or ns; undefined for anything else. */
export const toMs = (time: unknown): number | undefined => {
  const ms = typeof time === 'string' ? Date.parse(time) : typeof time === 'number' ? scaled(time) : Number.NaN;
  return Math.abs(ms) <= MAX_MS ? ms : undefined;
};

/** The unit follows from the size of the number: times in one unit are always smaller than times in the next unit. */
const scaled = (time: number): number => {
  if (time < 1e11) return time * 1e3;
  if (time < 1e14) return time;
  return time < 1e17 ? time / 1e3 : time / 1e6;
};

/** The client and the server that the session is between. */
const CLIENT = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'codex-rx import', version: '1' },
};
const SERVER = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'rollout', version: '1' },
};

/** The ids of the thread and the time of the first entry, in ms since 1970. */
type Thread = { threadId: string; startedMs: number };

/** `text` is the agent's latest message, which becomes the response of the call; `fault` is why the turn failed, if it did. */
type Phase = { kind: 'idle' } | { kind: 'running'; text: string; fault?: string };

type Importing = {
  /** The time of the latest entry, in ms. */
  t: number;
  /** Counts the calls, whose ids are these numbers. */
  calls: number;
  phase: Phase;
  /** A turn has begun, and has not ended; older rollouts do not say so. */
  isOpen: boolean;
};
type ReducedImport = Reduced<Importing, Entry>;

/** With the time of the item's line, in ms since 1970. */
type Input = Timed<Happened> | { kind: 'end' };

/**
 * Reads a rollout as a session on MCP: `codex` for the first message of the user, `codex-reply` for each later one,
 * the events of the turn as `codex/event`. An entry has the time of its line, or comes 1 ms after the previous entry.
 */
export const fromRollout = (report: Report): Importer => {
  let head: SourceLine | undefined;
  const items = itemReader(readRolloutLine, report);
  return {
    learn: (line) => {
      if (head === undefined) head = line;
      else items.learn(line);
    },
    begin: () => {
      const { threadId, timestamp, cliVersion } = toSessionStart(head?.value ?? {});
      const startedMs = toMs(timestamp) ?? 0;
      const server = cliVersion === undefined ? {} : { server: { name: 'codex', version: cliVersion } };
      const meta = { started: new Date(startedMs).toISOString(), thread: threadId, ...server };
      return { meta, entries: items.begin({ threadId, startedMs }) };
    },
    read: (line) => (line.lineNumber === head?.lineNumber ? [] : items.read(line)),
    end: items.end,
  };
};

type ReadLine = (value: JsonObject) => RolloutItem[] | undefined;

type ItemReader = Omit<Importer, 'begin'> & { begin: (thread: Thread) => Entry[] };

/** Makes a session on MCP in which the items of lines are prompts and events. A line of an unknown kind is reported. */
export const itemReader = (readLine: ReadLine, report: Report): ItemReader => {
  const kinds: EndKinds = new Map();
  const pair = callPairer(kinds);
  let importNext: ReturnType<typeof importItem>;
  let state: Importing = { t: 0, calls: 0, phase: { kind: 'idle' }, isOpen: false };
  const take = (input: Input): readonly Entry[] => {
    const step = importNext(state, input);
    state = step.state;
    return step.output;
  };
  return {
    learn: ({ value }) => {
      for (const item of readLine(value) ?? []) learnEnd(kinds, item);
    },
    begin: (thread) => {
      importNext = importItem(thread);
      return handshake();
    },
    read: ({ lineNumber, value }) => {
      const items = readLine(value);
      if (items === undefined) report({ lineNumber, reason: 'is of a kind that is not known; it is left out' });
      return (items ?? []).flatMap((item) => pair({ ...item, ms: toMs(value.timestamp) }).flatMap(take));
    },
    end: () => [...take({ kind: 'end' })],
  };
};

const entryOf = (t: number, dir: 'in' | 'out', message: JsonObject): Entry => ({
  t,
  dir,
  line: JSON.stringify({ jsonrpc: '2.0', ...message }),
});

const handshake = (): Entry[] => [
  entryOf(0, 'in', { id: 0, method: 'initialize', params: CLIENT }),
  entryOf(0, 'out', { id: 0, result: SERVER }),
  entryOf(0, 'in', { method: 'notifications/initialized' }),
];

const importItem =
  (thread: Thread) =>
  (before: Importing, input: Input): ReducedImport => {
    if (input.kind === 'end') return answer(thread, before.isOpen ? cutOff(before) : before);
    const t = input.ms === undefined ? before.t + 1 : Math.max(before.t, input.ms - thread.startedMs);
    const isBegin = input.kind === 'event' && input.msg.type === 'task_started';
    const state = { ...before, t, isOpen: before.isOpen || isBegin };
    if (input.kind === 'prompt') return call(thread, answer(thread, state), input.text);
    if (state.phase.kind === 'idle') return { state, output: [] };
    return emit(thread, state, input.msg);
  };

const call = ({ threadId }: Thread, before: ReducedImport, prompt: string): ReducedImport => {
  const calls = before.state.calls + 1;
  const state: Importing = { ...before.state, calls, phase: { kind: 'running', text: '' } };
  const isFirst = calls === 1;
  const params = isFirst
    ? { name: 'codex', arguments: { prompt } }
    : { name: 'codex-reply', arguments: { prompt, threadId } };
  const configured = { type: 'session_configured', session_id: threadId, thread_id: threadId };
  return {
    state,
    output: [
      ...before.output,
      entryOf(state.t, 'in', { id: calls, method: 'tools/call', params }),
      ...(isFirst ? [eventOf(threadId, state, configured)] : []),
    ],
  };
};

const emit = (thread: Thread, state: Importing, msg: JsonObject): ReducedImport => {
  const output = [eventOf(thread.threadId, state, msg)];
  const isLast = msg.type === 'task_complete' || msg.type === 'turn_aborted';
  const next: Importing = { ...state, phase: phaseAfter(state.phase, msg) };
  if (!isLast) return { state: next, output };
  const ended = answer(thread, { ...next, isOpen: false });
  return { state: ended.state, output: [...output, ...ended.output] };
};

/** The program was killed, or the turn is still running. */
const cutOff = (state: Importing): Importing =>
  state.phase.kind === 'idle'
    ? state
    : { ...state, phase: { ...state.phase, fault: state.phase.fault ?? 'The rollout ends before the turn does' } };

/** A message after an error shows that the turn went on. */
const phaseAfter = (phase: Phase, msg: JsonObject): Phase => {
  if (phase.kind === 'idle') return phase;
  const { text } = phase;
  switch (msg.type) {
    case 'agent_message':
      return { kind: 'running', text: wordOf(msg.message) };
    case 'error':
      return { kind: 'running', text, fault: wordOf(msg.message ?? 'the turn failed') };
    case 'turn_aborted':
      return {
        kind: 'running',
        text,
        fault: `The turn was stopped before it was done: ${wordOf(msg.reason ?? 'interrupted')}`,
      };
    default:
      return phase;
  }
};

const eventOf = (threadId: string, { t, calls }: Importing, msg: JsonObject): Entry =>
  entryOf(t, 'out', {
    method: 'codex/event',
    params: { _meta: { requestId: calls, threadId }, id: String(calls), msg },
  });

const answer = ({ threadId }: Thread, state: Importing): ReducedImport => {
  if (state.phase.kind === 'idle') return { state, output: [] };
  const { fault } = state.phase;
  const text = fault ?? state.phase.text;
  const content = [{ type: 'text', text }];
  const result = {
    content,
    structuredContent: { threadId, content: text },
    ...(fault !== undefined && { isError: true }),
  };
  return {
    state: { ...state, phase: { kind: 'idle' } },
    output: [entryOf(state.t, 'out', { id: state.calls, result })],
  };
};
