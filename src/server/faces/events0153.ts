/** The events of Codex 0.153 that no engine emits: items, the message of the user, times. */

import type { EventMsg } from '../../protocol/codex/eventMsg';
import { type Event, isLast } from '../../protocol/codex/events';
import type { Op } from '../../protocol/codex/operations';
import { type Adapted, adaptEngine, type EventAdapter } from './adaptEngine';
import { addMessage, addReasoning, addReasoningDelta, addTextDelta } from './addItems';
import { addDeclined, addPatchBegin, addPatchEnd, addPatchQuestion } from './addPatches';
import { addStartupBefore, addThread, addUpdate, addWarning } from './addStartup';
import * as times from './addTimes';
import { placeMsgs } from './placeMsgs';
import { type AddDeps, type Added, newTurn0153, type Turn0153, withEntry } from './turn0153';

/** The turns that are open, by call. */
type Turns = ReadonlyMap<string, Turn0153>;

/** The engine with the events of 0.153. */
export const adaptTo0153 = (deps: AddDeps) => adaptEngine(events0153(deps));

/** Adds to each turn what the clients of 0.153 read. Source: tapes v142-*. */
export const events0153 = (deps: AddDeps): EventAdapter<Turns> => ({
  initial: new Map(),
  receiveOp,
  receiveEvent: (state, event) => {
    const { turn, output } = receive(deps, state.get(event.callId) ?? newTurn0153(), event);
    return { state: withEntry(state, event.callId, isLast(event) ? undefined : turn), output };
  },
});

const receiveOp = (state: Turns, op: Op): Turns =>
  op.kind === 'turn' || op.kind === 'input' ? withEntry(state, op.callId, newTurn0153(op.input)) : state;

type Received = { turn: Turn0153; output: Adapted<Turns>['output'] };

const receive = (deps: AddDeps, turn: Turn0153, event: Event): Received => {
  switch (event.kind) {
    case 'event':
    case 'deltas': {
      const { threadId, id } = event;
      const msgs = event.kind === 'event' ? [event.msg] : event.msgs;
      const question = event.kind === 'event' ? event.question : undefined;
      const first: Added = { turn: { ...turn, place: { threadId, id } }, msgs: [] };
      const added = msgs.reduce((before, msg) => joinAdded(before, addTo(deps, before.turn, { msg, question })), first);
      return { turn: added.turn, output: placeMsgs(event, added.msgs) };
    }
    case 'declined': {
      const added = addDeclined(deps, turn, event.question);
      const place = turn.place === undefined ? [] : placeMsgs({ ...turn.place, callId: event.callId }, added.msgs);
      return { turn: added.turn, output: [...place, event] };
    }
    default:
      return { turn, output: [event] };
  }
};

const joinAdded = (before: Added, { turn, msgs }: Added): Added => ({ turn, msgs: [...before.msgs, ...msgs] });

type Asked = { msg: EventMsg; question?: number };

/** What replaces a message. The first one after the begin of the turn shows that the servers of the thread were started. */
const addTo = (deps: AddDeps, turn: Turn0153, asked: Asked): Added => {
  const startup = addStartupBefore(turn, asked.msg.type);
  return joinAdded(startup, addOne(deps, startup.turn, asked));
};

const addOne = (deps: AddDeps, turn: Turn0153, { msg, question }: Asked): Added => {
  switch (msg.type) {
    case 'session_configured':
      return addThread(turn, msg);
    case 'task_started':
      return times.addStart(deps, turn, msg);
    case 'warning':
      return addWarning(turn, msg);
    case 'mcp_startup_update':
      return addUpdate(turn, msg);
    case 'task_complete':
    case 'turn_aborted':
      return times.addEnd(deps, turn, msg);
    case 'token_count':
      return { turn, msgs: [{ ...msg, model_context_window: turn.contextWindow }] };
    case 'exec_command_begin':
      return times.addCommandBegin(deps, turn, msg);
    case 'exec_command_end':
      return times.addCommandEnd(deps, turn, msg);
    case 'apply_patch_approval_request':
      return addPatchQuestion(deps, turn, { msg, question });
    case 'patch_apply_begin':
      return addPatchBegin(deps, turn, msg);
    case 'patch_apply_end':
      return addPatchEnd(deps, turn, msg);
    default:
      return addText(deps, turn, msg);
  }
};

const addText = (deps: AddDeps, turn: Turn0153, msg: EventMsg): Added => {
  switch (msg.type) {
    case 'agent_message_delta':
      return addTextDelta(deps, times.withFirstToken(deps, turn), msg);
    case 'agent_message':
      return addMessage(deps, turn, msg);
    case 'agent_reasoning_delta':
    case 'agent_reasoning_section_break':
    case 'agent_reasoning_raw_content_delta':
      return addReasoningDelta(deps, times.withFirstToken(deps, turn), msg);
    case 'agent_reasoning':
      return addReasoning(deps, turn, msg);
    default:
      return { turn, msgs: [msg] };
  }
};
