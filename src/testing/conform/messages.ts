/** What rules read of the messages of a session: ids, requests, tokens, notifications. */
import { toObject } from '../../protocol/jsonrpc/json';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import type { Observed } from './conformCase';
import { messagesOf } from './observed';

/** The `_meta` of params. */
export const metaOf = (params: unknown) => toObject(toObject(params)._meta);

/** Tells ids apart, of any type. */
export const keyOf = (id: unknown): string =>
  typeof id === 'string' || typeof id === 'number' ? idKey(id as RequestId) : JSON.stringify(id);

/** The requests of the client. */
export const requestsOf = (observed: Observed) =>
  messagesOf(observed, 'in').filter((one) => 'method' in one && 'id' in one);

/** The progress tokens of the client, as JSON. */
export const tokensOf = (observed: Observed): string[] =>
  messagesOf(observed, 'in').flatMap((one) => {
    const token = metaOf(one.params).progressToken;
    return token === undefined ? [] : [JSON.stringify(token)];
  });

/** The notifications of the server with this method. */
export const notificationsOf = (observed: Observed, method: string) =>
  messagesOf(observed, 'out').filter((one) => one.method === method);
