/** The events of Codex 0.28.0 that later releases send otherwise. */
import { type CodexEvent, type Event, endsTurn } from '../../protocol/codex/events';
import type { Adapted, EventAdapter } from './adaptEngine';

/** The last diff of each turn that has one, by call. */
export type Diffs = ReadonlyMap<string, CodexEvent>;

/**
 * Repeats the diff of a turn after each later response of the model, and shows a warning and a compaction, which 0.28.0 does not know, as a
 * `background_event`. A warning about an item of the model, and how far the start of a server is, are left out, as there.
 * Source: Codex 0.28.0, WIRE 7.4, tapes patch-*.
 */
export const events028: EventAdapter<Diffs> = {
  initial: new Map(),
  receiveOp: (state) => state,
  receiveEvent: (state, event) => receive(state, event),
};

const receive = (state: Diffs, event: Event): Adapted<Diffs> => {
  if (event.kind !== 'event') return { state, output: [event] };
  const diff = state.get(event.callId);
  const { msg } = event;
  switch (msg.type) {
    case 'turn_diff':
      if (isSameDiff(diff, msg.unified_diff)) return { state, output: [] }; // a tape of 0.28.0 has the repeated ones too
      return { state: new Map(state).set(event.callId, event), output: [event] };
    case 'token_count':
      return { state, output: diff === undefined ? [event] : [event, diff] };
    case 'context_compacted':
      return { state, output: [{ ...event, msg: inBackground(COMPACTED) }] };
    case 'mcp_startup_update':
      return { state, output: [] };
    case 'warning':
      return { state, output: msg.item_type === undefined ? [{ ...event, msg: inBackground(msg) }] : [] };
    default:
      return { state: diff !== undefined && endsTurn(event) ? without(state, event.callId) : state, output: [event] };
  }
};

const COMPACTED = { message: 'The conversation was summarized, as it took too much of the context of the model.' };

const isSameDiff = (diff: CodexEvent | undefined, text: string): boolean =>
  diff?.msg.type === 'turn_diff' && diff.msg.unified_diff === text;

const inBackground = ({ message }: { message: string }) => ({ type: 'background_event', message }) as const;

const without = (state: Diffs, callId: string): Diffs => new Map([...state].filter(([id]) => id !== callId));
