import type { EventMsg } from '../../../src/protocol/codex/eventMsg';
import type { CodexEvent } from '../../../src/protocol/codex/events';
import type { Request } from '../../../src/protocol/jsonrpc/messages';
import { silentLog } from '../../../src/protocol/log';
import type { Call } from '../../../src/server/calls/calls';
import { emptyMap, valuesOf } from '../../../src/server/calls/persistentMap';
import type { CallInput, CallOutput } from '../../../src/server/calls/step';
import { newTurn } from '../../../src/server/calls/turn';
import {
  connectionReducer,
  countSubmission,
  noSubmissions,
  noteQuestions,
  submissionsOf,
  withVerdicts,
} from '../../../src/server/mcp/connectionReducer';
import type { CallCommand } from '../../../src/server/mcp/methods/method';
import { taskDeps } from '../../../src/server/mcp/tasksOfCalls';
import { callsOf } from '../../support/calls';
import { mcpDeps, request, THREAD, turnEventOf } from '../../support/mcp';
import { callOf, events, legacy, modern, op, outputsOf } from '../../support/mcpCalls';

const { initial, reduce, isEnded } = connectionReducer({
  newId: () => 'new',
  msg: ({ msg }) => ({ ...msg }),
  elicitation: () => ({}),
  extended: false,
  log: silentLog,
  numbersReplies: true,
  tasks: taskDeps(mcpDeps()),
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
  type: 'session_configured',
  session_id: THREAD,
  model: 'm',
  model_provider_id: 'p',
  approval_policy: 'never',
  sandbox_mode: 'read-only',
  cwd: '/',
  history_log_id: 0,
  history_entry_count: 0,
});

const verdict = { decision: 'approved' } as const;

const response = { kind: 'response', id: 7, result: verdict } as const;

const asking = <M extends string>(method: M, params = {}): Request & { method: M } => ({
  kind: 'request',
  id: 5,
  method,
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

describe('submissions', () => {
  const T = '00000000-0000-4000-8000-000000000001';

  const call: Call<null> = { callId: 'c', requestId: 1, asksBy: 'request', caller: null };

  const reply: CallInput<null> = {
    kind: 'begin',
    call,
    op: { kind: 'turn', callId: 'c', eventId: 'request', thread: { id: T.toUpperCase() }, input: [], askable: true },
  };

  const first: CallInput<null> = { ...reply, op: { ...reply.op, thread: { start: {} } } as never };

  const answered: CallInput<null> = { kind: 'answered', question: 7, verdict: { decision: 'approved' } };

  const question = { kind: 'question', call, question: 7, event: { threadId: T } } as CallOutput<null>;

  const withdrawn: CallOutput<null> = { kind: 'withdrawn', call, questions: [7], reason: '' };

  const count = (...inputs: CallInput<null>[]) =>
    inputs.reduce<ReturnType<typeof countSubmission<null>>>(
      ({ submissions }, input) => countSubmission({ numbersReplies: true }, submissions, input),
      {
        submissions: noSubmissions(),
        input: reply,
      },
    );

  describe('countSubmission', () => {
    it('numbers the replies to a thread from 0 on, whatever the notation of its id; the first turn is none', () => {
      expect(count(first)).toEqual({ submissions: noSubmissions(), input: first });
      expect(count(first, reply).input).toMatchObject({ op: { eventId: '0' } });
      expect(count(first, reply, reply).input).toMatchObject({ op: { eventId: '1' } });
    });

    it('leaves the ids of events as they are on other faces', () => {
      const { input, submissions } = countSubmission({ numbersReplies: false }, noSubmissions(), reply);
      expect([input, submissionsOf(submissions, T)]).toEqual([reply, 1]);
    });

    it('counts the answer to an open question, once', () => {
      const asked = noteQuestions(noSubmissions(), question);
      const { submissions } = countSubmission({ numbersReplies: true }, asked, answered);
      const again = countSubmission({ numbersReplies: true }, submissions, answered);
      expect(submissionsOf(again.submissions, T)).toBe(1);
    });
  });

  describe('noteQuestions', () => {
    it('drops a question that is withdrawn', () => {
      expect(noteQuestions(noteQuestions(noSubmissions(), question), withdrawn).asked).toEqual(emptyMap());
    });
  });
});

describe('withVerdicts', () => {
  const requested_schema = {
    type: 'object',
    properties: { decision: { type: 'string', enum: ['merge', 'approved'] } },
  };

  const form: EventMsg = { type: 'elicitation_request', server_name: 'git', message: 'How?', requested_schema };

  const about = { kind: 'event', callId: 'c1', threadId: 'T', turnId: 'U', id: '1' } as const;

  const questions = new Map<number, CodexEvent>([
    [7, { ...about, msg: request as EventMsg, question: 7 }],
    [8, { ...about, msg: form, question: 8 }],
  ]);

  const call = callOf(modern, 'c1');

  const calls = callsOf({ phase: 'running', call, order: 0, turn: { ...newTurn, questions } } as never);

  const answered = (question: number, result: object): CallCommand => ({
    kind: 'answered',
    question,
    response: { kind: 'response', id: question, result },
  });

  it('reads an answer by what was asked', () => {
    const merge = { action: 'accept', content: { decision: 'merge' } };
    expect(withVerdicts(calls, answered(8, merge))).toEqual({
      kind: 'answered',
      question: 8,
      verdict: { decision: 'approved', form: { decision: 'merge' } },
    });
    const reason = expect.stringContaining('chose none of approved');
    expect(withVerdicts(calls, answered(7, merge))).toMatchObject({ verdict: { decision: 'denied', reason } });
  });

  it('takes the answer to a question that nobody asked for that of a model', () => {
    const sampled = { role: 'assistant', content: { type: 'text', text: 'hi' } };
    expect(withVerdicts(calls, answered(9, sampled))).toMatchObject({ verdict: { decision: 'denied', sampled } });
  });

  it('reads the answers of a retry, and notes those that do not fit', () => {
    const yes = { action: 'accept', content: { decision: 'approved' } };
    const retry: CallCommand = {
      kind: 'resume',
      call,
      responses: { 'approval-7': yes, 'form-8': { action: 'accept' } },
      asked: { keys: ['approval-7', 'form-8'], misread: [] },
    };
    expect(withVerdicts(calls, retry)).toEqual({
      kind: 'resume',
      call: { ...call, caller: { ...call.caller, misread: ['form-8'] } },
      verdicts: new Map([[7, { decision: 'approved' }]]),
    });
  });

  it('leaves all else as it is', () => {
    const end: CallCommand = { kind: 'end', cause: 'over' };
    expect(withVerdicts(calls, end)).toBe(end);
  });
});
