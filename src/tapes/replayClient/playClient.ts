/** The reducer of a recorded client: what each line of the server lets it send next. It uses no timers. */

import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { toPairingKey } from '../session/pairingKey';
import type { ClientPlan } from './clientPlan';
import type { ClientPlayback, PausingClient, PlayingClient } from './clientPlayback';
import { countDue, withBalance, withoutOptional } from './dueMessages';
import { bindReceived, toSentLine } from './toSentLine';

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
