/** What a soaking client received, and the faults in it. */
import type { Json } from '../daemon/peer';

type ListenerEvents = { conversationId: string; events: Json[] };

/** `answers` counts the responses by request; `listeners` have the events of each, in their order. */
export type Ledger = {
  answers: Map<number, number>;
  cancelled: Set<number>;
  listeners: Map<string, ListenerEvents>;
  events: number;
  approvals: number;
};

export const newLedger = (): Ledger => ({
  answers: new Map(),
  cancelled: new Set(),
  listeners: new Map(),
  events: 0,
  approvals: 0,
});

/** An event of a conversation, of which only what is compared is kept. */
export const receiveEvent = (ledger: Ledger, { method, params }: Json): void => {
  ledger.events += 1;
  if (!method.startsWith('codex/event/')) return;
  const { subscriptionId, id, msg } = params;
  const { type, delta, message, last_agent_message } = msg;
  ledger.listeners.get(subscriptionId)?.events.push({ id, type, delta, message, last_agent_message });
};

const times = (count: number, what: string): string => `${what} ${count} times`;

/** A request is answered once; one that was cancelled at most once. */
const answerFaults = ({ answers, cancelled }: Ledger): string[] =>
  [...answers].flatMap(([id, count]) => {
    const isRight = cancelled.has(id) ? count <= 1 : count === 1;
    return isRight ? [] : [times(count, `request ${id} was answered`)];
  });

const ENDS = ['task_complete', 'turn_aborted'];

/**
 * Turns of a conversation begin and end one after another, and the deltas of a message are its text. A turn that is withdrawn while it
 * waits ends without a beginning, under its own id.
 */
const turnFaults = (name: string, events: readonly Json[]): string[] => {
  const faults: string[] = [];
  const ended = new Set<string>();
  let open: string | undefined;
  let text = '';
  for (const { id, type, delta, message } of events) {
    if (type === 'task_started') {
      if (open !== undefined) faults.push(`${name}: a turn began in another`);
      [open, text] = [id, ''];
    } else if (ENDS.includes(type)) {
      if (ended.has(id)) faults.push(`${name}: the turn ${id} ended twice`);
      if (open === id) open = undefined;
      else if (type !== 'turn_aborted') faults.push(`${name}: the turn ${id} was complete without a begin`);
      ended.add(id);
    } else if (type === 'agent_message_delta') text += delta;
    else if (type === 'agent_message') {
      if (text !== message) faults.push(`${name}: the deltas ${JSON.stringify(text)} of ${JSON.stringify(message)}`);
      text = '';
    }
  }
  return open === undefined ? faults : [...faults, `${name}: a turn did not end`];
};

/** Listeners of one conversation get the same. */
const listenerFaults = ({ listeners }: Ledger): string[] => {
  const byConversation = new Map<string, string>();
  return [...listeners].flatMap(([name, { conversationId, events }]) => {
    const all = JSON.stringify(events);
    const other = byConversation.get(conversationId) ?? all;
    byConversation.set(conversationId, all);
    const faults = turnFaults(name, events);
    return other === all ? faults : [...faults, `${name}: another listener of ${conversationId} got other events`];
  });
};

/** All faults; empty if all is well. */
export const toFaults = (ledger: Ledger): string[] => [...answerFaults(ledger), ...listenerFaults(ledger)];
