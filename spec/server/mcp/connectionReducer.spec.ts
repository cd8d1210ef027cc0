import type { Request } from '../../../src/protocol/jsonrpc/messages';
import { silentLog } from '../../../src/protocol/log';
import { valuesOf } from '../../../src/server/calls/persistentMap';
import { connectionReducer } from '../../../src/server/mcp/connectionReducer';
import { THREAD, turnEventOf } from '../../support/mcp';
import { callOf, events, legacy, op, outputsOf } from '../../support/mcpCalls';

const { initial, reduce, isEnded } = connectionReducer({
  newId: () => 'new',
  msg: ({ msg }) => ({ ...msg }),
  elicitation: () => ({}),
  extended: false,
  log: silentLog,
  numbersReplies: true,
});
type State = typeof initial;
type Input = Parameters<typeof reduce>[1];

/** The state after these inputs. */
const stateAfter = (...inputs: Input[]): State =>
  inputs.reduce<State>((state, input) => reduce(state, input).state, initial);
/** What the last of the inputs leads to. */
const last = (...inputs: Input[]) => {
  const { output, ops } = reduce(stateAfter(...inputs.slice(0, -1)), inputs.at(-1) as Input);
  return { output, ops };
};

const call = callOf(legacy);
const begin: Input = { kind: 'begin', call, op };
const outputs = outputsOf(legacy);
const configured = turnEventOf(op, {
  ...{ type: 'session_configured', session_id: THREAD, model: 'm', model_provider_id: 'p' },
  ...{ approval_policy: 'never', sandbox_mode: 'read-only', cwd: '/', history_log_id: 0, history_entry_count: 0 },
});
const verdict = { decision: 'approved' } as const;
const response = { kind: 'response', id: 7, result: verdict } as const;
const asking = <M extends string>(method: M, params = {}): Request & { method: M } => ({
  ...{ kind: 'request', id: 5, method },
  params,
});
const listen: Input = {
  kind: 'conversation',
  request: asking('addConversationListener', { conversationId: THREAD }),
};
const respond = (own: object) => ({ kind: 'response', id: 5, batch: undefined, ...own });
const open: Input = { kind: 'conversation', request: asking('newConversation') };
const opened: Input = { kind: 'done', callId: 'new', threadId: THREAD };

describe('connectionReducer', () => {
  it('begins a call of MCP, and passes its events', () => {
    expect(last(begin)).toEqual({ output: [outputs.begun], ops: [op] });
    expect(last(begin, events.started)).toEqual({ output: [outputs.started], ops: [] });
    expect(last(begin, events.complete)).toEqual({
      output: [{ kind: 'event', call, event: events.complete, delivery: 'live' }, outputs.finished],
      ops: [],
    });
  });

  it.each<[string, Input]>([
    ['a batch of deltas', events.deltas],
    ['one delta        ', events.delta],
    ['an unknown call  ', { ...events.started, callId: 'none' }],
  ])('keeps its state for %s', (_, input) => {
    const state = stateAfter(begin, events.started);
    expect(reduce(state, input).state).toBe(state);
  });

  it('adds a listener to a thread that a call has begun, and to no other', () => {
    expect(last(begin, listen)).toEqual({
      output: [respond({ error: { code: -32600, message: `conversation not found: ${THREAD}` } })],
      ops: [],
    });
    expect(last(begin, configured, listen)).toEqual({
      output: [respond({ result: { subscriptionId: 'new' } })],
      ops: [],
    });
  });

  it('sends the events of a call to the listeners of its thread too', () => {
    expect(last(begin, configured, listen, events.started)).toEqual({
      output: [
        outputs.started,
        {
          kind: 'notification',
          method: 'codex/event/task_started',
          params: { id: '1', msg: { type: 'task_started', model_context_window: null }, conversationId: THREAD },
        },
      ],
      ops: [],
    });
  });

  it('opens a thread for a Codex method, whose call is nothing to MCP', () => {
    expect(last(open)).toEqual({
      output: [],
      ops: [{ kind: 'open', callId: 'new', eventId: '', thread: { start: {} }, askable: true }],
    });
    expect(last(open, opened)).toEqual({
      output: [respond({ result: { conversationId: THREAD, model: '' } })],
      ops: [],
    });
    expect(last(open, opened, listen).output).toEqual([respond({ result: { subscriptionId: 'new' } })]);
  });

  it('numbers the replies to a thread', () => {
    const reply = { ...op, thread: { id: THREAD } };
    const first: Input = { kind: 'begin', call, op: reply };
    expect(last(first).ops).toEqual([{ ...reply, eventId: '0' }]);
    expect(last(first, { ...first, call: callOf(legacy, 'd') }).ops).toEqual([{ ...reply, eventId: '1' }]);
  });

  it('asks, counts the answer as a submission, and gives it to the engine', () => {
    const answered: Input = { kind: 'answered', question: 7, response };
    expect(last(begin, events.question)).toEqual({
      output: [{ kind: 'event', call, event: events.question, delivery: 'live' }, outputs.question],
      ops: [],
    });
    expect(last(begin, events.question, answered)).toEqual({
      output: [],
      ops: [{ kind: 'verdict', question: 7, verdict }],
    });
    const reply = { ...op, thread: { id: THREAD } };
    expect(last(begin, events.question, answered, { kind: 'begin', call, op: reply }).ops).toEqual([
      { ...reply, eventId: '1' },
    ]);
  });

  it('closes a question to the listeners of a conversation with its answer', () => {
    const items = [{ type: 'text', data: { text: 'go' } }];
    const send: Input = {
      kind: 'conversation',
      request: asking('sendUserMessage', { conversationId: THREAD, items }),
    };
    const question = { ...events.question, callId: 'new' };
    const inputs = [open, opened, listen, send, question];
    expect(valuesOf(stateAfter(...inputs).conversations?.asked ?? [])).toEqual([THREAD]);
    const answered = stateAfter(...inputs, { kind: 'answered', question: 7, response });
    expect(valuesOf(answered.conversations?.asked ?? [])).toEqual([]);
  });

  it('ends all calls with the connection', () => {
    const end: Input = { kind: 'end', cause: 'over' };
    expect(last(begin, events.started, end)).toEqual({
      output: [{ kind: 'finished', call, outcome: { kind: 'stopped', threadId: THREAD, cause: 'over', notDone: [] } }],
      ops: [],
    });
    expect([isEnded(stateAfter(begin)), isEnded(stateAfter(begin, end))]).toEqual([false, true]);
  });

  it('answers params that do not fit with an error, and stays as it was', () => {
    const broken: Input = { kind: 'conversation', request: asking('newConversation', { model: 5 }) };
    const state = stateAfter(begin, configured);
    const { state: next, output, ops } = reduce(state, broken);
    expect([next, ops]).toEqual([state, []]);
    expect(output).toEqual([respond({ error: { code: -32602, message: expect.stringContaining('params.model') } })]);
  });
});
