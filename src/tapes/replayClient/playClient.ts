/** The reducer of a recorded client: what each line of the server lets it send next. It uses no timers. */

import { isObject, toJson } from '../../protocol/jsonrpc/json';
import { idKey } from '../../protocol/jsonrpc/messages';
import { parseLine, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { withRequestId } from '../../protocol/jsonrpc/requestNames';
import { bindHandles } from '../handles/bindHandles';
import { replaceHandles } from '../handles/replaceHandles';
import { ALL_MASKS, toMask } from '../matching/mask';
import { toCanonical } from '../matching/matchKey';
import { toPairingKey } from '../session/pairingKey';
import type { ClientLine } from '../session/sessionIndex';
import { itemAt, withItem } from '../session/sparseArray';
import type { ClientPlan, MessageKind } from './clientPlan';
import type { ClientPlayback, PausingClient, PlayingClient } from './clientPlayback';

/** What a client receives: its start, a line of the server, a short silence, a silence beyond the limit, the end of a pause, the server's end. */
export type ClientInput =
  | { kind: 'start' }
  | { kind: 'line'; line: string }
  | { kind: 'silence' }
  | { kind: 'timeout' }
  | { kind: 'resume' }
  | { kind: 'end' };

/** The new state, the lines to send, and how long the client pauses after them, 0 for not at all. */
export type ClientStep = { state: ClientPlayback; output: readonly string[]; pauseMs: number };

const FINISHED: ClientStep = { state: { phase: 'finished' }, output: [], pauseMs: 0 };

/** Makes the reducer. */
export const playClient =
  (plan: ClientPlan) =>
  (state: ClientPlayback, input: ClientInput): ClientStep => {
    if (state.phase === 'finished' || input.kind === 'end') return FINISHED;
    if (state.phase === 'pausing') return pause(plan, state, input);
    if (input.kind === 'timeout') return FINISHED;
    if (input.kind === 'line') return sendDue(plan, receive(plan, state, input.line));
    return sendDue(plan, input.kind === 'silence' ? withoutLate(plan, state) : state);
  };

/** A server that owes a response is at work: notifications may come with it, and one that was given up would then count as a later one. */
const withoutLate = (plan: ClientPlan, state: PlayingClient): PlayingClient =>
  state.missing.required > 0 ? state : withoutOptional(plan, state);

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
    (before, message) => {
      const kind = plan.kinds.get(toPairingKey(message).key);
      const after = kind === undefined ? before : withBalance(before, kind, 1);
      return message.kind === 'request' ? { ...after, openRequests: [...after.openRequests, message] } : after;
    },
    bindReceived(plan, state, { value, message: messages[0] }),
  );
};

/** Sends every line for which nothing is missing, up to a pause. */
const sendDue = (plan: ClientPlan, before: PlayingClient): ClientStep => {
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
export const withBalance = (state: PlayingClient, { id, required }: MessageKind, change: 1 | -1): PlayingClient => {
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

/** Notifications that did not come are no longer waited for. */
export const withoutOptional = ({ kinds }: ClientPlan, state: PlayingClient): PlayingClient => {
  if (state.missing.optional === 0) return state;
  const late = [...kinds.values()].filter(({ id, required }) => !required && (itemAt(state.balance, id) ?? 0) < 0);
  return {
    ...state,
    missing: { ...state.missing, optional: 0 },
    balance: late.reduce((balance, { id }) => withItem(balance, id, 0), state.balance),
  };
};

/** Counts as due the server lines that came before the next client line in the recording. */
export const countDue = ({ index, kindsOf }: ClientPlan, before: PlayingClient): PlayingClient => {
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
  const bound = bindHandles(handles, kind.values[count], value).reduce<PlayingClient['bound']>(
    (known, { id, text }) => (itemAt(known, id) === undefined ? withItem(known, id, text) : known),
    state.bound,
  );
  return { ...state, received: withItem(state.received, kind.id, count + 1), bound };
};

/** The line of a recorded client line with the handles of this server; as it was recorded where none differs. */
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
