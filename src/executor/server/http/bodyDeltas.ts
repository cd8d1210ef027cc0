/** A response that is streamed: its head as the result, its body in numbered deltas. */
import { map, materialize, type Observable, type ObservableNotification, scan } from 'rxjs';
import type { HttpPart } from '../../../io/http/httpFetch';
import { INTERNAL_ERROR, RpcError } from '../../../protocol/jsonrpc/messages';
import { toResult } from '../../../protocol/rpc/answerOnce';
import { flatten } from '../../../streams/flatten';
import { toBase64 } from '../base64';
import { notification, type Output } from '../method';

/** The response to a request that could not be sent. */
export const toRequestError = (error: Error): RpcError =>
  new RpcError(INTERNAL_ERROR, `http/request failed: ${error.message || error.name}`);

/** `seq` is that of the last delta; undefined before the head. */
type State = { seq: number | undefined; output: Output[] };

/**
 * The head is the result; each chunk is a delta, and so is the end, also where the body breaks. Errors before the head.
 *   in   --h-c-c-|      in   #        in   --h-#
 *   out  --R-d-d-(e|)   out  #        out  --R-(f|)   (R the result, d a delta, e the last one, f the last with an error)
 */
export const inDeltas =
  (requestId: string) =>
  (part$: Observable<HttpPart>): Observable<Output> =>
    part$.pipe(
      materialize(),
      scan((state: State, event) => next(state, event, requestId), { seq: undefined, output: [] }),
      map(({ output }) => output),
      flatten(),
    );

const next = ({ seq }: State, event: ObservableNotification<HttpPart>, requestId: string): State => {
  if (event.kind === 'N' && event.value.kind === 'head') {
    const { status, headers } = event.value;
    return { seq: 0, output: [toResult({ status, headers, bodyBase64: '' })] };
  }
  if (seq === undefined && event.kind === 'E') throw toRequestError(event.error as Error);
  const delta = {
    requestId,
    seq: (seq ?? 0) + 1,
    deltaBase64: event.kind === 'N' && event.value.kind === 'chunk' ? toBase64(event.value.bytes) : '',
    done: event.kind !== 'N',
    error: event.kind === 'E' ? (event.error as Error).message : null,
  };
  return { seq: delta.seq, output: [notification('http/request/bodyDelta', delta)] };
};
