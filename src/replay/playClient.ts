/** The reducer of a recorded client: what each line of the server lets it send next. It knows no timers. */
import { parseLine, toPairingKey } from '../session';
import type { ClientPlan } from './clientPlan';
import type { ClientPlayback, PlayingClient } from './clientPlayback';
import { countDue, withBalance, withoutOptional } from './dueMessages';
import { bindReceived, toSentLine } from './toSentLine';

/** What a client receives: its start, a line of the server, a short silence, a silence beyond the limit. */
export type ClientInput =
  | { kind: 'start' }
  | { kind: 'line'; line: string }
  | { kind: 'silence' }
  | { kind: 'timeout' };

/** The new state, and the lines to send. */
export type ClientStep = { state: ClientPlayback; output: readonly string[] };

/** Makes the reducer. */
export const playClient =
  (plan: ClientPlan) =>
  (state: ClientPlayback, input: ClientInput): ClientStep => {
    if (state.phase === 'finished' || input.kind === 'timeout') return { state: { phase: 'finished' }, output: [] };
    if (input.kind === 'line') return sendDue(plan, receive(plan, state, input.line));
    return sendDue(plan, input.kind === 'silence' ? withoutOptional(plan, state) : state);
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

/** Sends every line for which nothing is missing. */
const sendDue = (plan: ClientPlan, before: PlayingClient): ClientStep => {
  const output: string[] = [];
  let state = before;
  for (;;) {
    state = countDue(plan, state);
    if (state.missing.required + state.missing.optional > 0) return { state, output };
    const line = plan.index.clientLines[state.next];
    if (line === undefined || line.kind === 'endOfInput') return { state: { phase: 'finished' }, output };
    const sent = toSentLine(plan, state, line);
    output.push(sent.line);
    state = { ...state, openRequests: sent.openRequests, next: state.next + 1 };
  }
};
