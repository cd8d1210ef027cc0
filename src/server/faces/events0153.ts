/** The events of Codex 0.153 that no engine emits: items, the message of the user, times. */
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { type Event, isLast } from '../../protocol/codex/events';
import type { Op } from '../../protocol/codex/operations';
import { type Adapted, adaptEngine, type EventAdapter } from './adaptEngine';
import { addDeclined, addOne, addStartupBefore } from './additions0153';
import { type AddDeps, type Added, newTurn0153, type Turn0153, withEntry } from './turn0153';

type Turns = ReadonlyMap<string, Turn0153>;

/** The engine with the events of 0.153. */
export const adaptTo0153 = (deps: AddDeps) => adaptEngine(events0153(deps));

/** Adds to each turn what clients of 0.153 read. */
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

const receive = (deps: AddDeps, turn: Turn0153, event: Event): { turn: Turn0153; output: Adapted<Turns>['output'] } => {
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
      const added = addDeclined({ deps, turn, question: event.question });
      const place = turn.place === undefined ? [] : placeMsgs({ ...turn.place, callId: event.callId }, added.msgs);
      return { turn: added.turn, output: [...place, event] };
    }
    default:
      return { turn, output: [event] };
  }
};

const joinAdded = (before: Added, { turn, msgs }: Added): Added => ({ turn, msgs: [...before.msgs, ...msgs] });

/** What replaces a message. The first one after the begin of the turn shows that the servers of the thread were started. */
const addTo = (deps: AddDeps, before: Turn0153, { msg, question }: { msg: EventMsg; question?: number }): Added => {
  const startup = addStartupBefore(before, msg.type);
  return joinAdded(startup, addOne({ deps, turn: startup.turn, question }, msg));
};

/** The call, the thread and the id of the event that the messages replace, and the question that it asks. */
type Origin = { callId: string; threadId: string; id: string; question?: number };

type Group = { isDelta: boolean; msgs: readonly EventMsg[] };

/** Deltas that follow each other stay together. The question goes with the request for an approval; servers have no turn. */
export const placeMsgs = (origin: Origin, msgs: readonly EventMsg[]): Event[] =>
  msgs.reduce(grouped, []).flatMap(({ isDelta, msgs: some }): Event[] => {
    const { callId, threadId, id } = origin;
    const about = { callId, threadId, id, turnId: id };
    return isDelta && some.length > 1
      ? [{ kind: 'deltas', ...about, msgs: some }]
      : some.map((msg) => ({
          kind: 'event',
          ...about,
          ...(isOfThread(msg) && { id: '' }),
          msg,
          ...askedBy(origin, msg),
        }));
  });

const grouped = (groups: readonly Group[], msg: EventMsg): Group[] => {
  const isDelta = msg.type.endsWith('_delta');
  const last = groups.at(-1);
  return isDelta && last?.isDelta
    ? [...groups.slice(0, -1), { isDelta, msgs: [...last.msgs, msg] }]
    : [...groups, { isDelta, msgs: [msg] }];
};

const isOfThread = ({ type }: EventMsg): boolean => type === 'mcp_startup_complete' || type === 'mcp_startup_update';

const askedBy = ({ question }: Origin, { type }: EventMsg): { question?: number } =>
  question !== undefined && ASKING.includes(type) ? { question } : {};

const ASKING: readonly EventMsg['type'][] = [
  'exec_approval_request',
  'apply_patch_approval_request',
  'elicitation_request',
];
