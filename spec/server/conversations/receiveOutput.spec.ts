import type { Request } from '../../../src/protocol/jsonrpc/messages';
import type { CallOutput } from '../../../src/server/calls/step';
import type { Outcome } from '../../../src/server/calls/turn';
import {
  type CodexCall,
  type CodexCaller,
  type Conversations,
  conversationOf,
  noConversations,
} from '../../../src/server/conversations/conversation';
import {
  observeOutput,
  opened,
  receiveOutput,
  toInterrupted,
  toResumed,
} from '../../../src/server/conversations/receiveOutput';
import {
  approval,
  callBy,
  deps,
  eventOf,
  failure,
  newConversation,
  notification,
  requestOf,
  response,
  send,
  stateWith,
  THREAD,
  warning,
} from './support';

const configured = eventOf({
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

const request = requestOf('resumeConversation');

const resume = callBy({ method: 'resumeConversation', request, stored: { id: THREAD, path: '/r', model: 'old' } });

const interrupt = callBy({ method: 'interruptConversation', request: requestOf('interruptConversation') });

const done = { kind: 'done', threadId: THREAD } as const;

const shown = notification('s', { type: 'warning', message: 'w' });

const event = (call: CodexCall, own = warning): CallOutput<CodexCaller> => ({
  kind: 'event',
  call,
  delivery: 'live',
  event: own,
});

const listening = stateWith({ listeners: ['s'] });

const messagesOf = (output: CallOutput<CodexCaller>, state: Conversations = listening) =>
  receiveOutput(deps, state, output).messages;

describe('receiveOutput', () => {
  it.each<[string, CallOutput<CodexCaller>, unknown[]]>([
    ['sends an event of input to its listeners      ', event(send), [shown]],
    ['sends no event of a call that opens a thread  ', event(newConversation), []],
    ['sends no event of a call that stops a turn    ', event(interrupt), []],
    ['is silent for a call that has begun           ', { kind: 'resumed', call: send }, []],
    [
      'answers a thread that was resumed             ',
      { kind: 'finished', call: resume, outcome: done },
      [response({ conversationId: THREAD, model: 'old', rolloutPath: '/r' })],
    ],
    [
      'answers a turn that was stopped               ',
      { kind: 'finished', call: interrupt, outcome: done },
      [response({ abortReason: 'interrupted' })],
    ],
    ['does not answer input twice                   ', { kind: 'finished', call: send, outcome: done }, []],
    [
      'ends a cancelled request in silence           ',
      { kind: 'cancelled', call: newConversation },
      [{ kind: 'noResponse', batch: undefined }],
    ],
    ['has no request of input that could be ended   ', { kind: 'cancelled', call: send }, []],
  ])('%s', (_, output, messages) => {
    expect(messagesOf(output)).toEqual(messages);
  });

  it('answers for a thread that was closed, with a notification, and forgets its listeners', () => {
    const call = callBy({ method: 'thread/unsubscribe', request: requestOf('thread/unsubscribe'), threadId: THREAD });
    const { state, messages } = receiveOutput(deps, listening, { kind: 'finished', call, outcome: done });
    expect(messages).toEqual([
      response({ status: 'unsubscribed' }),
      { kind: 'notification', method: 'thread/closed', params: { threadId: THREAD } },
    ]);
    expect(conversationOf(state, THREAD)).toEqual({ id: THREAD, listeners: [], kept: [] });
    const ended = (outcome: Outcome) => messagesOf({ kind: 'finished', call, outcome });
    expect(ended({ kind: 'rejected', message: 'not found' })).toEqual([response({ status: 'notLoaded' })]);
    expect(ended({ kind: 'stopped', cause: 'no', notDone: [] })).toEqual([failure(-32603, 'no')]);
  });

  it('answers newConversation with the model of its thread, which it notes until then', () => {
    const { state, messages } = receiveOutput(deps, listening, event(newConversation, configured));
    expect([messages, [...state.models]]).toEqual([[], [['c', 'm']]]);
    const opened = receiveOutput(deps, state, { kind: 'finished', call: newConversation, outcome: done });
    expect([opened.messages, [...opened.state.models]]).toEqual([
      [response({ conversationId: THREAD, model: 'm' })],
      [],
    ]);
  });

  it('notes no model for a thread that newConversation does not open, or that was cancelled', () => {
    expect(receiveOutput(deps, listening, event(resume, configured)).state).toBe(listening);
    expect(receiveOutput(deps, listening, event(send, configured)).state).toBe(listening);
    const { state } = receiveOutput(deps, listening, event(newConversation, configured));
    expect(receiveOutput(deps, state, { kind: 'cancelled', call: newConversation }).state).toEqual(listening);
  });

  it('forgets the overrides of a conversation that was not resumed, unless a later request has set others', () => {
    const [lasting, later] = [{ model: 'm' }, { model: 'n' }];
    const stored = { id: THREAD, path: '/r', model: 'old' };
    const call = callBy({ method: 'resumeConversation', request, stored, lasting });
    const inUse = { kind: 'rejected', message: 'it is in use' } as const;
    const left = (output: CallOutput<CodexCaller>, now = lasting) =>
      conversationOf(receiveOutput(deps, stateWith({ lasting: now }), output).state, THREAD).lasting;
    expect(left({ kind: 'finished', call, outcome: inUse })).toBeUndefined();
    expect(left({ kind: 'cancelled', call })).toBeUndefined();
    expect(left({ kind: 'finished', call, outcome: inUse }, later)).toBe(later);
    expect(left({ kind: 'finished', call, outcome: done })).toBe(lasting);
  });

  it('answers newConversation with why there is no thread', () => {
    const outcome = { kind: 'rejected', message: 'no model' } as const;
    expect(messagesOf({ kind: 'finished', call: newConversation, outcome })).toEqual([
      failure(-32603, 'error creating conversation: no model'),
    ]);
  });

  it('sends an error and the end to the listeners of input that the engine rejected', () => {
    const outcome = { kind: 'rejected', message: 'no such thread' } as const;
    expect(messagesOf({ kind: 'finished', call: send, outcome })).toEqual([
      notification('s', { type: 'error', message: 'no such thread' }, '7'),
      notification('s', { type: 'task_complete', last_agent_message: null }, '7'),
    ]);
  });

  it('asks, and withdraws what was asked', () => {
    const question = { kind: 'question', call: send, question: 3, event: approval } as const;
    const asked = receiveOutput(deps, listening, question);
    expect(asked.messages).toEqual([
      {
        kind: 'request',
        id: 3,
        method: 'execCommandApproval',
        params: { conversation_id: THREAD, call_id: 'x', command: ['ls'], cwd: '/' },
      },
    ]);
    const withdrawn = { kind: 'withdrawn', call: send, questions: [3], reason: 'late' } as const;
    expect(messagesOf(withdrawn, asked.state)).toEqual([
      { kind: 'notification', method: 'notifications/cancelled', params: { requestId: 3, reason: 'late' } },
    ]);
    expect(messagesOf({ ...withdrawn, call: newConversation }, asked.state)).toEqual([]);
  });

  it('keeps events if nobody listens', () => {
    const { state, messages } = receiveOutput(deps, stateWith(), event(send));
    expect(messages).toEqual([]);
    expect(conversationOf(state, THREAD).kept).toEqual([event(send)]);
  });
});

describe('observeOutput', () => {
  const call = { ...send, caller: 'a tool' };
  const observed = (output: CallOutput<unknown>, state = listening) => observeOutput(deps, state, output);

  it.each<[string, CallOutput<unknown>, unknown[]]>([
    ['an event                   ', { kind: 'event', call, event: warning, delivery: 'live' }, [shown]],
    ['one that the caller misses ', { kind: 'event', call, event: warning, delivery: 'missed' }, [shown]],
    ['none that is replayed      ', { kind: 'event', call, event: warning, delivery: 'replayed' }, []],
    ['not that a thread is open  ', { kind: 'event', call, event: configured, delivery: 'live' }, []],
    ['no question                ', { kind: 'question', call, question: 3, event: approval }, []],
    ['no outcome                 ', { kind: 'finished', call, outcome: done }, []],
  ])('sends listeners of a tool’s thread %s', (_, output, messages) => {
    expect(observed(output)).toEqual({ state: listening, messages });
  });

  it('keeps nothing if nobody listens', () => {
    const state = stateWith();
    expect(observed({ kind: 'event', call, event: warning, delivery: 'live' }, state)).toEqual({ state, messages: [] });
  });
});

describe('responses', () => {
  const request: Request = { kind: 'request', id: 1, method: 'm', params: {} };

  const rejected = { kind: 'rejected', message: 'it is in use by the process 2' } as const;

  const stored = { id: 'T', path: '/r.jsonl', model: 'm' };

  describe('the response to a conversation that does not open', () => {
    it.each([
      ['creating', () => opened(noConversations(), { callId: 'c', request, outcome: rejected }).messages],
      ['resuming', () => [toResumed({ method: 'resumeConversation', request, stored }, rejected)]],
    ])('names what failed: %s', (what, respond) => {
      expect(respond()).toEqual([
        {
          kind: 'response',
          id: 1,
          batch: undefined,
          error: { code: -32603, message: `error ${what} conversation: it is in use by the process 2` },
        },
      ]);
    });

    it('names settings that do not fit', () => {
      const outcome = { kind: 'rejected', message: 'Failed to load Codex configuration: no cwd' } as const;
      expect(toResumed({ method: 'resumeConversation', request, stored }, outcome)).toMatchObject({
        error: { code: -32600, message: 'error deriving config: no cwd' },
      });
    });
  });

  describe('toInterrupted', () => {
    it('is a result once the turn is over, and an error if it could not be interrupted', () => {
      const result = { abortReason: 'interrupted' };
      expect(toInterrupted(request, { kind: 'done' } as Outcome)).toMatchObject({ id: 1, result });
      const error = { code: -32603, message: 'it is in use by the process 2' };
      expect(toInterrupted(request, rejected)).toMatchObject({ id: 1, error });
    });
  });
});
