/** Owns a recorded app-server as a transport: what the client's words brought about then, they bring about now. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  concatMap,
  defer,
  delay,
  EMPTY,
  from,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  type OperatorFunction,
  of,
  throwError,
} from 'rxjs';
import { decodeBareMessage } from '../../../src/protocol/jsonrpc/decodeMessage';
import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import type { RequestId } from '../../../src/protocol/jsonrpc/messages';
import type { RpcIncoming, RpcOutgoing } from '../../../src/protocol/rpc/messages';

type Line = { t: number; dir: string; line: string };
type Sent = { afterMs: number; message: RpcIncoming<JsonObject> | { kind: 'exit'; code: number } };
/** One line of the recorded client, and what the server sent up to the next. */
type Step = { t: number; asked: RpcIncoming<JsonObject>; sent: Sent[] };

const linesOf = (name: string): Line[] =>
  readFileSync(join(__dirname, 'tapes', `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1) // what the tape says of itself
    .map((line) => JSON.parse(line));

const toStep = (steps: Step[], { t, dir, line }: Line): Step[] => {
  if (dir === 'in') return [...steps, { t, asked: decodeBareMessage(line) as RpcIncoming<JsonObject>, sent: [] }];
  const step = steps.at(-1) as Step;
  const message = dir === 'exit' ? { kind: 'exit' as const, code: JSON.parse(line).code } : decodeBareMessage(line);
  step.sent.push({ afterMs: t - step.t, message: message as Sent['message'] });
  return steps;
};

/** A method, or which question is answered. */
const nameOf = (message: RpcIncoming<JsonObject> | RpcOutgoing): string =>
  'method' in message ? message.method : `answer to ${'id' in message ? message.id : 'several'}`;

/**
 * Looks for the message of the client from where the tape is now on; what was sent after it follows at the distance it had,
 * answers under the id of the request that was sent now. What the recorded client asked besides is passed over, and a
 * request that it never made gets an empty answer. Errors where the recorded server ended.
 * @param received collects the messages of the client
 */
export const tapeServer =
  (name: string, received: RpcOutgoing[] = []): OperatorFunction<RpcOutgoing, RpcIncoming<JsonObject>> =>
  (out$) =>
    defer(() => {
      const steps = linesOf(name).reduce(toStep, []);
      let at = 0;
      const answerTo = (sent: RpcOutgoing): Observable<RpcIncoming<JsonObject>> => {
        received.push(sent);
        const found = steps.findIndex(({ asked }, i) => i >= at && nameOf(asked) === nameOf(sent));
        if (found === -1) return sent.kind === 'request' ? of(resultOf(sent.id)) : EMPTY;
        at = found + 1;
        const { asked, sent: following } = steps[found] as Step;
        const ids = { recorded: 'id' in asked && asked.id, now: 'id' in sent && sent.id };
        return from(following).pipe(
          mergeMap((each) => of(each).pipe(delay(each.afterMs))),
          concatMap(({ message }) => {
            if (message.kind === 'exit') return throwError(() => new Error(`exit code ${message.code}`));
            const isAnswer = message.kind === 'response' && message.id === ids.recorded;
            return of(isAnswer ? { ...message, id: ids.now as RequestId } : message);
          }),
        );
      };
      return merge(NEVER, out$.pipe(mergeMap(answerTo)));
    });

const resultOf = (id: RequestId): RpcIncoming<JsonObject> => ({ kind: 'response', id, result: {} });
