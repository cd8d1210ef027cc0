import { getValue } from '../../../src/server/calls/persistentMap';
import { type Conversations, conversationOf } from '../../../src/server/conversations/conversation';
import {
  addConversationListener as add,
  type RequestDeps,
  receiveRequest,
  removeConversationListener as remove,
  respond,
} from '../../../src/server/conversations/receiveRequest';
import { uuid } from '../../support/conversations';
import { deps, notification, requestOf, response, stateWith, THREAD, warning } from './support';

const requestDeps: RequestDeps = { ...deps, isKnown: (id) => id === THREAD, submissionsOf: () => 4 };

const stored = { id: THREAD, path: '/r', model: 'old' };

const thread = { id: THREAD };

const state = stateWith();

const items = [
  { type: 'text', data: { text: 'go' } },
  { type: 'image', data: { image_url: 'u' } },
  { type: 'localImage', data: { path: '/i.png' } },
];

const input = [
  { type: 'text', text: 'go' },
  { type: 'image', url: 'u' },
  { type: 'localImage', path: '/i.png' },
];

const turn = {
  conversationId: THREAD,
  items,
  cwd: '/w',
  approvalPolicy: 'never',
  model: 'm',
  summary: 'none',
  sandboxPolicy: { mode: 'workspace-write', network_access: true },
};

type Method = Parameters<typeof receiveRequest>[2]['method'];

const received = (method: Method, params = {}, own: Partial<RequestDeps> = {}, before: Conversations = state) =>
  receiveRequest({ ...requestDeps, ...own }, before, requestOf(method, params));

/** A call that this request begins; it is the one thing that happens. */
const begun = (method: Method, op: object, own: object = {}) => ({
  state,
  messages: [],
  inputs: [
    {
      kind: 'begin',
      call: { callId: 'new', requestId: 1, asksBy: 'request', caller: { method, request: expect.any(Object), ...own } },
      op: { callId: 'new', ...op },
    },
  ],
});

/** What `send` begins: the response leaves at once. */
const sent = (op: object = {}) => ({
  messages: [response({})],
  inputs: [
    {
      kind: 'begin',
      call: {
        callId: 'new',
        requestId: 'new',
        asksBy: 'request',
        caller: { method: 'send', conversationId: THREAD, eventId: '4' },
      },
      op: { kind: 'input', callId: 'new', eventId: '4', thread, askable: true, input, ...op },
    },
  ],
});

describe('receiveRequest', () => {
  it('opens a thread with the settings of newConversation', () => {
    expect(received('newConversation', { model: 'm', sandbox: null, includeApplyPatchTool: true })).toEqual(
      begun('newConversation', { kind: 'open', eventId: '', thread: { start: { model: 'm' } }, askable: true }),
    );
  });

  it('opens the thread on disk that resumeConversation names', () => {
    expect(received('resumeConversation', { conversationId: THREAD }, { stored })).toEqual(
      begun('resumeConversation', { kind: 'open', eventId: '', thread, askable: true }, { stored }),
    );
  });

  it('sets the overrides of resumeConversation with the next input, once', () => {
    const overrides = { model: 'm', sandbox: 'read-only' };
    const { state: next } = received('resumeConversation', { conversationId: THREAD, overrides }, { stored });
    const lasting = { model: 'm', sandbox: { mode: 'read-only' } };
    expect(conversationOf(next, THREAD)).toEqual({ id: THREAD, listeners: [], kept: [], lasting });
    const { state: after, ...step } = received('sendUserMessage', { conversationId: THREAD, items }, {}, next);
    expect(step).toEqual(sent({ lasting }));
    expect(conversationOf(after, THREAD).lasting).toBeUndefined();
  });

  it('begins input with the number of its submission, and responds at once', () => {
    const { state: _, ...step } = received('sendUserMessage', { conversationId: THREAD, items });
    expect(step).toEqual(sent());
  });

  it('begins input with the settings of its turn', () => {
    const { state: _, ...step } = received('sendUserTurn', turn);
    const settings = {
      cwd: '/w',
      approvalPolicy: 'never',
      model: 'm',
      summary: 'none',
      sandbox: { mode: 'workspace-write', networkAccess: true },
    };
    expect(step).toEqual(sent({ settings }));
  });

  it('does nothing for input without items', () => {
    const empty = { state, messages: [response({})], inputs: [] };
    expect(received('sendUserMessage', { conversationId: THREAD, items: [] })).toEqual(empty);
  });

  it('stops the turn of a thread', () => {
    expect(received('interruptConversation', { conversationId: THREAD })).toEqual(
      begun('interruptConversation', { kind: 'interruptThread', thread }),
    );
  });

  it('begins a compaction as a turn of its own, and responds at once', () => {
    const { inputs, messages } = received('thread/compact/start', { threadId: THREAD });
    expect(messages).toEqual([response({})]);
    expect(inputs).toEqual([
      { ...sent().inputs[0], op: { kind: 'compact', callId: 'new', eventId: '4', thread, askable: true } },
    ]);
  });

  it('closes the thread that thread/unsubscribe names', () => {
    expect(received('thread/unsubscribe', { threadId: THREAD })).toEqual(
      begun('thread/unsubscribe', { kind: 'close', eventId: '', thread, askable: true }, { threadId: THREAD }),
    );
  });

  it('has nothing to close of a thread that the connection does not have', () => {
    expect(received('thread/unsubscribe', { threadId: THREAD }, { isKnown: () => false })).toEqual({
      state,
      inputs: [],
      messages: [response({ status: 'notLoaded' })],
    });
  });

  it.each<[Method, object, Partial<RequestDeps>, string]>([
    ['resumeConversation', { conversationId: THREAD }, {}, 'error resuming conversation: it was not found'],
    ['resumeConversation', { conversationId: THREAD }, { stored: { fault: 'in use' } }, 'conversation: in use'],
    ['sendUserMessage', { conversationId: THREAD, items }, { isKnown: () => false }, 'conversation not found'],
    ['interruptConversation', { conversationId: THREAD }, { isKnown: () => false }, 'conversation not found'],
    ['thread/compact/start', { threadId: THREAD }, { isKnown: () => false }, 'conversation not found'],
    ['thread/compact/start', { conversationId: THREAD }, {}, 'threadId'],
    ['thread/unsubscribe', { threadId: 'x' }, {}, 'must be a UUID'],
    ['sendUserMessage', { conversationId: 'x', items }, {}, 'must be a UUID'],
    ['addConversationListener', {}, {}, 'conversationId'],
    ['removeConversationListener', {}, {}, 'subscriptionId'],
  ])('rejects %s %#', (method, params, own, message) => {
    expect(() => received(method, params, own)).toThrow(message);
  });
});

describe('respond', () => {
  it('answers under the id of the request, in its batch', () => {
    expect(respond(requestOf('m'), { a: 1 })).toEqual(response({ a: 1 }));
    const batch = { size: 2 };
    expect(respond({ ...requestOf('m'), batch }, null)).toEqual({ kind: 'response', id: 1, batch, result: null });
  });
});

describe('listeners', () => {
  const NEW = uuid(9);

  const requestDeps = { ...deps, newId: () => NEW, isKnown: (id: string) => id === THREAD, submissionsOf: () => 0 };

  const adding = requestOf('addConversationListener', { conversationId: THREAD });

  const removing = requestOf('removeConversationListener', { subscriptionId: NEW });

  describe('addConversationListener', () => {
    it('responds first, then sends what was kept to the first listener', () => {
      const state = stateWith({ kept: [{ kind: 'event', event: warning }] });
      const { state: next, ...step } = add(requestDeps, state, adding);
      expect(step).toEqual({
        messages: [response({ subscriptionId: NEW }), notification(NEW, { type: 'warning', message: 'w' })],
        inputs: [],
      });
      expect(conversationOf(next, THREAD)).toEqual({ id: THREAD, listeners: [NEW], kept: [] });
      expect(getValue(next.subscriptions, NEW)).toBe(THREAD);
    });

    it('adds a later listener after the first', () => {
      const { state, messages } = add(requestDeps, stateWith({ listeners: ['s'] }), adding);
      expect(messages).toEqual([response({ subscriptionId: NEW })]);
      expect(conversationOf(state, THREAD).listeners).toEqual(['s', NEW]);
    });

    it('rejects a conversation that the connection does not have', () => {
      const isKnown = () => false;
      expect(() => add({ ...requestDeps, isKnown }, stateWith(), adding)).toThrow(`conversation not found: ${THREAD}`);
    });
  });

  describe('removeConversationListener', () => {
    it('removes this listener only, and a second time there is none', () => {
      const { state } = add(requestDeps, stateWith({ listeners: ['s'] }), adding);
      const { state: next, ...step } = remove(requestDeps, state, removing);
      expect(step).toEqual({ messages: [response({})], inputs: [] });
      expect(conversationOf(next, THREAD).listeners).toEqual(['s']);
      expect(() => remove(requestDeps, next, removing)).toThrow(`subscription not found: ${NEW}`);
    });
  });
});
