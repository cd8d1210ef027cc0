/** Which requests a response has left open. */
import { idKey, type RequestId } from '../../protocol/jsonrpc';
import { parseLine } from '../../session';
import type { ResponsePart } from './readResponse';

/** What is open behind a part. A failure with a status answers all requests. */
export const withoutAnswered = (left: readonly RequestId[], part: ResponsePart): readonly RequestId[] => {
  if (part.kind === 'failed') return [];
  if (part.kind !== 'line') return left;
  if (part.status !== undefined) return [];
  const answered = parseLine(part.line).messages.flatMap((message) =>
    message.kind === 'response' && message.id !== null ? [idKey(message.id)] : [],
  );
  return left.filter((id) => !answered.includes(idKey(id)));
};
