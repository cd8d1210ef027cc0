/** Reads the notification that cancels a request. */
import { isObject, type RequestId } from '../../protocol/jsonrpc';

/** The id of the request that a notification cancels; undefined for any other message. */
export const cancelledBy = ({ method, params }: { method: string; params: unknown }): RequestId | undefined =>
  method === 'notifications/cancelled' && isObject(params) ? (params.requestId as RequestId) : undefined;
