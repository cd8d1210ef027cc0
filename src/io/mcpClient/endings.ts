/** What ends a request: its cancellation, or its response. */
import { isObject } from '../../protocol/jsonrpc/json';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import type { ResponsePart } from './readResponse';

/** The id of the request that a notification cancels; undefined for any other message. */
export const cancelledBy = ({ method, params }: { method: string; params: unknown }): RequestId | undefined =>
  method === 'notifications/cancelled' && isObject(params) ? (params.requestId as RequestId) : undefined;

/** The requests that are still open after a part. A failure with a status answers all of them. */
export const withoutAnswered = (left: readonly RequestId[], part: ResponsePart): readonly RequestId[] => {
  if (part.kind === 'failed') return [];
  if (part.kind !== 'line') return left;
  if (part.status !== undefined) return [];
  const answered = parseLine(part.line).messages.flatMap((message) =>
    message.kind === 'response' && message.id !== null ? [idKey(message.id)] : [],
  );
  return left.filter((id) => !answered.includes(idKey(id)));
};
