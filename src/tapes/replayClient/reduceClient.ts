/** The reducer of a recorded client: what each line of the server lets it send next. It uses no timers. */
import { isObject, toJson } from '../../protocol/jsonrpc/json';
import { idKey } from '../../protocol/jsonrpc/messages';
import { parseLine, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { withRequestId } from '../../protocol/jsonrpc/requestNames';
import { bindHandles, replaceHandles } from '../handles/replaceHandles';
import { ALL_MASKS, toMask } from '../matching/mask';
import { toCanonical } from '../matching/matchKey';
import { toPairingKey } from '../session/pairingKey';
import type { ClientLine } from '../session/sessionIndex';
import { itemAt, type SparseArray, withItem } from '../session/sparseArray';
import type { ClientPlan, MessageKind } from './clientPlan';
import { NO_POLLS, type Polling, receivePoll, repeatMs, repeatPolls } from './repeatPolls';

/** A request of the server. */
export type Request = TapeMessage & { kind: 'request' };

type PlayingClient = {
  phase: 'playing';
  /** The client line to send next. */
  next: number;
  /** How many server lines of the recording are due before it. */
  counted: number;
  /** By kind of message: how many more came than are due. */
  balance: SparseArray<number>;
  /** How many messages are due and have not come. */
  missing: { required: number; optional: number };
  /** By kind: how many lines came. */
  received: SparseArray<number>;
  /** Requests of the server without a response. */
  openRequests: readonly Request[];
  /** By the id of a handle: the text that stands for it now. */
  bound: SparseArray<string>;
  polling: Polling;
};

/** A client between two of its lines: it counts what comes, and waits however long the server is silent. */
type PausingClient = Omit<PlayingClient, 'phase'> & { phase: 'pausing' };

/** A client that plays its lines, pauses, or has played all it can. */
export type ClientPlayback = PlayingClient | PausingClient | { phase: 'finished' };

/** A client before its start. */
export const IDLE_CLIENT: PlayingClient = {
  phase: 'playing',
  next: 0,
  counted: 0,
  balance: [],
  missing: { required: 0, optional: 0 },
  received: [],
  openRequests: [],
  bound: [],
  polling: NO_POLLS,
};

/** What a client receives. */
export type ClientInput =
  | { kind: 'start' }
  /** A line of the server. */
  | { kind: 'line'; line: string }
  /** The server was silent for as long as the client waits for notifications. */
  | { kind: 'silence' }
  /** The server was silent for as long as the client waits for responses and requests. */
  | { kind: 'timeout' }
  /** The end of a pause. */
  | { kind: 'resume' }
  /** The end of the server. */
  | { kind: 'end' };

/** The new state, and what the client does. */
export type ClientStep = {
  state: ClientPlayback;
  /** Lines to send. */
  output: readonly string[];
  /** How long the client pauses after them. */
  pauseMs: number;
};

const FINISHED: ClientStep = { state: { phase: 'finished' }, output: [], pauseMs: 0 };

/** Makes the reducer. */
export const reduceClient =
  (plan: ClientPlan) =>
  (state: ClientPlayback, input: ClientInput): ClientStep => {
    if (state.phase === 'finished' || input.kind === 'end') return FINISHED;
    if (state.phase === 'pausing') return pause(plan, state, input);
    if (input.kind === 'timeout') return FINISHED;
    if (input.kind === 'line') return sendOrWait(plan, receive(plan, state, input.line));
    return sendDue(plan, input.kind === 'silence' ? withoutOptional(plan, state) : state);
  };

/** During a pause lines are counted; a silence does not count, as the server may have nothing to do. */
const pause = (plan: ClientPlan, state: PausingClient, input: ClientInput): ClientStep => {
  if (input.kind === 'resume') return sendDue(plan, { ...state, phase: 'playing' });
  if (input.kind !== 'line') return { state, output: [], pauseMs: 0 };
  const received = receive(plan, { ...state, phase: 'playing' }, input.line);
  return { state: { ...received, phase: 'pausing' }, output: [], pauseMs: 0 };
};

const receive = (plan: ClientPlan, state: PlayingClient, line: string): PlayingClient => {
  if (line.trim() === '') return state;
  const { messages, value } = parseLine(line);
  return messages.reduce<PlayingClient>(
    (earlier, message) => {
      const before = receivePolled(plan, earlier, { value, message });
      const kind = plan.kinds.get(toPairingKey(message).key);
      const after = kind === undefined ? before : withBalance(before, kind, 1);
      return message.kind === 'request' ? { ...after, openRequests: [...after.openRequests, message] } : after;
    },
    bindReceived(plan, state, { value, message: messages[0] }),
  );
};

/** A task that works on is polled again, after a pause. */
const sendOrWait = (plan: ClientPlan, state: PlayingClient): ClientStep => {
  const pauseMs = repeatMs(state.polling);
  return pauseMs === undefined ? sendDue(plan, state) : { state: { ...state, phase: 'pausing' }, output: [], pauseMs };
};

const repeat = (plan: ClientPlan, state: PlayingClient): ClientStep => {
  const textOf = (line: number) => withBound(plan, state.bound, plan.index.clientLines[line] as ClientLine);
  const { polling, output } = repeatPolls(state.polling, textOf);
  return { state: { ...state, polling }, output, pauseMs: 0 };
};

type Received = { value: unknown; message: TapeMessage };

const receivePolled = (plan: ClientPlan, state: PlayingClient, { value, message }: Received): PlayingClient => {
  const { polling, found } = receivePoll(plan.polls, state.polling, message);
  if (polling === state.polling) return state;
  return {
    ...state,
    polling,
    bound: found === undefined ? state.bound : bind(plan.handles, state.bound, [found.value, value]),
  };
};

/** Sends each line before which nothing is missing, up to a pause. */
const sendDue = (plan: ClientPlan, before: PlayingClient): ClientStep => {
  if (before.polling.repeated.length > 0) return repeat(plan, before);
  const output: string[] = [];
  let state = before;
  for (;;) {
    state = countDue(plan, state);
    if (state.missing.required + state.missing.optional > 0) return { state, output, pauseMs: 0 };
    const line = plan.index.clientLines[state.next];
    if (line === undefined || line.kind === 'endOfInput') return { ...FINISHED, output };
    const sent = toSentLine(plan, state, line);
    const pauseMs = plan.pauses[state.next] ?? 0;
    output.push(sent.line);
    state = { ...state, openRequests: sent.openRequests, next: state.next + 1 };
    if (pauseMs > 0) return { state: { ...state, phase: 'pausing' }, output, pauseMs };
  }
};

/** A message came (+1), or is due (-1). */
const withBalance = (state: PlayingClient, { id, required }: MessageKind, change: 1 | -1): PlayingClient => {
  const before = itemAt(state.balance, id) ?? 0;
  const missed = Math.max(0, -(before + change)) - Math.max(0, -before);
  const { missing } = state;
  return {
    ...state,
    balance: withItem(state.balance, id, before + change),
    missing: required
      ? { ...missing, required: missing.required + missed }
      : { ...missing, optional: missing.optional + missed },
  };
};

/** Stops waiting for notifications that did not come; for a response the client waits on, as the server is at work. */
const withoutOptional = ({ kinds }: ClientPlan, state: PlayingClient): PlayingClient => {
  if (state.missing.required > 0 || state.missing.optional === 0) return state;
  const late = [...kinds.values()].filter(({ id, required }) => !required && (itemAt(state.balance, id) ?? 0) < 0);
  return {
    ...state,
    missing: { ...state.missing, optional: 0 },
    balance: late.reduce((balance, { id }) => withItem(balance, id, 0), state.balance),
  };
};

/** Counts as due the server lines that came before the next client line in the recording. */
const countDue = ({ index, kindsOf }: ClientPlan, before: PlayingClient): PlayingClient => {
  let state = before;
  while ((index.serverLines[state.counted]?.clientLinesBefore ?? Number.POSITIVE_INFINITY) <= state.next) {
    const kinds = kindsOf[state.counted] ?? [];
    state = kinds.reduce((due, kind) => withBalance(due, kind, -1), { ...state, counted: state.counted + 1 });
  }
  return state;
};

/** Binds the texts in a received line to the handles in the recorded line of its kind. */
export const bindReceived = (
  { kinds, handles }: ClientPlan,
  state: PlayingClient,
  { value, message }: { value: unknown; message: TapeMessage | undefined },
): PlayingClient => {
  const kind = message && kinds.get(toPairingKey(message).key);
  if (kind === undefined) return state;
  const count = itemAt(state.received, kind.id) ?? 0;
  const bound = bind(handles, state.bound, [kind.values[count], value]);
  return { ...state, received: withItem(state.received, kind.id, count + 1), bound };
};

const bind = (
  handles: ClientPlan['handles'],
  bound: PlayingClient['bound'],
  [recorded, now]: readonly [unknown, unknown],
): PlayingClient['bound'] =>
  bindHandles(handles, recorded, now).reduce<PlayingClient['bound']>(
    (known, { id, text }) => (itemAt(known, id) === undefined ? withItem(known, id, text) : known),
    bound,
  );

/** The text of a client line with the handles of this server; the recorded text if no handle differs. */
const withBound = ({ handles }: ClientPlan, bound: PlayingClient['bound'], { line, value }: ClientLine): string => {
  const replaced = replaceHandles(handles, value, ({ id }) => itemAt(bound, id));
  return replaced === value || toCanonical(replaced) === toCanonical(value) ? line : toJson(replaced);
};

/** The line to send. A response goes to the open request that is most like the recorded one. */
export const toSentLine = (plan: ClientPlan, { bound, openRequests }: PlayingClient, recorded: ClientLine) => {
  const line = withBound(plan, bound, recorded);
  const original = plan.index.serverLines[recorded.answers ?? -1]?.messages[0];
  if (original?.kind !== 'request') return { line, openRequests };
  const same = openRequests.filter(({ method }) => method === original.method);
  const request = same.find(({ params }) => isAlike(params, original.params)) ?? same[0];
  if (request === undefined) return { line, openRequests };
  const others = openRequests.filter((open) => open !== request);
  if (idKey(request.id) === idKey(original.id)) return { line, openRequests: others };
  const value: unknown = JSON.parse(line);
  return { line: isObject(value) ? toJson(withRequestId(value, request.id)) : line, openRequests: others };
};

const mask = toMask(ALL_MASKS);
const isAlike = (a: unknown, b: unknown): boolean => toCanonical(mask(a)) === toCanonical(mask(b));
