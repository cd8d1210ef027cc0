/** The methods that add and remove listeners of conversations. */

import { INVALID_REQUEST, RpcError } from '../../protocol/jsonrpc/messages';
import { ConversationParams, SubscriptionParams } from '../../protocol/methods/conversationParams';
import { getValue, withoutKey, withValue } from '../calls/persistentMap';
import { readParams } from '../method';
import { conversationOf, putConversation } from './conversation';
import { deliverKept } from './deliver';
import { known, type RequestStep, respond } from './requestStep';

/** The first listener gets what was kept; a later one what happens from now on. */
export const addConversationListener: RequestStep = (deps, state, request) => {
  const { conversationId } = readParams(ConversationParams(), request);
  const conversation = known(deps, state, conversationId);
  const subscriptionId = deps.newId();
  const listening = { ...conversation, listeners: [...conversation.listeners, subscriptionId] };
  const subscriptions = withValue(state.subscriptions, subscriptionId, conversationId);
  const { state: next, messages } = deliverKept(deps, { ...state, subscriptions }, listening);
  return { state: next, messages: [respond(request, { subscriptionId }), ...messages], inputs: [] };
};

/** A turn goes on without its listener. */
export const removeConversationListener: RequestStep = (_, state, request) => {
  const { subscriptionId } = readParams(SubscriptionParams(), request);
  const id = getValue(state.subscriptions, subscriptionId);
  if (id === undefined) throw new RpcError(INVALID_REQUEST, `subscription not found: ${subscriptionId}`);
  const conversation = conversationOf(state, id);
  const listeners = conversation.listeners.filter((listener) => listener !== subscriptionId);
  const rest = { ...state, subscriptions: withoutKey(state.subscriptions, subscriptionId) };
  return { state: putConversation(rest, { ...conversation, listeners }), messages: [respond(request, {})], inputs: [] };
};
