import { getValue } from '../../../src/server/calls/persistentMap';
import { conversationOf } from '../../../src/server/conversations/conversation';
import {
  addConversationListener as add,
  removeConversationListener as remove,
} from '../../../src/server/conversations/receiveRequest';
import { uuid } from '../../support/conversations';
import { deps, notification, requestOf, response, stateWith, THREAD, warning } from './support';

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
