/** Counts the messages of the server that are due before the next line of the client. */

import { itemAt, withItem } from '../session/sparseArray';
import type { ClientPlan, MessageKind } from './clientPlan';
import type { PlayingClient } from './clientPlayback';

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
