/** Makes calls of the tools `codex` and `codex-reply` of the prompts of a thread, and of its events `codex/event`. */
import { type JsonObject, wordOf } from '../../protocol/jsonrpc/json';
import type { Reduced } from '../../streams/gather';
import type { RolloutItem } from '../../threads/lines/readRolloutLine';
import type { Entry } from '../format/tape';
import { type Importer, type Report, toMs } from './importer';
import { callPairer, type EndKinds, type Happened, learnEnd, type Timed } from './rolloutCalls';

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
  /** Events since the latest response; the next call has them, as a turn begins before its prompt. */
  held: readonly JsonObject[];
};
type ReducedImport = Reduced<Importing, Entry>;

/** With the time of the item's line, in ms since 1970. */
type Input = Timed<Happened> | { kind: 'end' };

type ReadLine = (value: JsonObject) => RolloutItem[] | undefined;

type ItemReader = Omit<Importer, 'begin'> & { begin: (thread: Thread) => Entry[] };

/** Makes a session on MCP in which the items of lines are prompts and events. A line of an unknown kind is reported. */
export const itemReader = (readLine: ReadLine, report: Report): ItemReader => {
  const kinds: EndKinds = new Map();
  const pair = callPairer(kinds);
  let importNext: ReturnType<typeof importItem>;
  let state: Importing = { t: 0, calls: 0, phase: { kind: 'idle' }, isOpen: false, held: [] };
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
    if (input.kind === 'end') return withHeld(thread, answer(thread, before.isOpen ? cutOff(before) : before));
    const t = input.ms === undefined ? before.t + 1 : Math.max(before.t, input.ms - thread.startedMs);
    const isBegin = input.kind === 'event' && input.msg.type === 'task_started';
    const state = { ...before, t, isOpen: before.isOpen || isBegin };
    if (input.kind === 'prompt') return call(thread, answer(thread, state), input.text);
    if (state.phase.kind === 'running') return emit(thread, state, input.msg);
    if (!isWork(input.msg) || (!state.isOpen && state.calls > 0))
      return { state: { ...state, held: [...state.held, input.msg] }, output: [] };
    const called = call(thread, { state, output: [] }, '');
    const emitted = emit(thread, called.state, input.msg);
    return { state: emitted.state, output: [...called.output, ...emitted.output] };
  };

/** What came after the last response belongs to its call. */
const withHeld = ({ threadId }: Thread, { state, output }: ReducedImport): ReducedImport => ({
  state,
  output: state.calls === 0 ? output : [...output, ...state.held.map((msg) => eventOf(threadId, state, msg))],
});

/** What a turn does also if no prompt began it, such as the turn of an agent that another agent called. */
const isWork = ({ type }: JsonObject): boolean =>
  /^(agent_message|agent_reasoning|plan_update|.*_begin)$/.test(wordOf(type));

const call = ({ threadId }: Thread, before: ReducedImport, prompt: string): ReducedImport => {
  const calls = before.state.calls + 1;
  const { held } = before.state;
  const state: Importing = { ...before.state, calls, phase: { kind: 'running', text: '' }, held: [] };
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
      ...[...(isFirst ? [configured] : []), ...held].map((msg) => eventOf(threadId, state, msg)),
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
