/** Reads the notification that cancels a request. */
import { isObject } from '../../protocol/jsonrpc/json';
import type { RequestId } from '../../protocol/jsonrpc/messages';

/** The id of the request that a notification cancels; undefined for any other message. */
export const cancelledBy = ({ method, params }: { method: string; params: unknown }): RequestId | undefined =>
  method === 'notifications/cancelled' && isObject(params) ? (params.requestId as RequestId) : undefined;
