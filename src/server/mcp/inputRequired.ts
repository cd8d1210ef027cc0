/** Owns asking the person behind a call: by a request, or in 2026-07-28 by an answer and a retry. */
import { type Event, INVALID_PARAMS, INVALID_REQUEST, type Outgoing, type Told } from '../../protocol';
import type { AttendDeps, Attended } from './attended';
import type { Call, Command } from './command';
import { toElicitation } from './elicitation';
import { serverMeta } from './method';
import { toQuestionKey } from './questions';

/** Puts a question to the client of a call. */
export const ask = (deps: AttendDeps, each: Attended, told: Told, question: number): Outgoing[] => {
  const params = deps.face.question(toElicitation(told, each.call));
  each.questions.set(question, params);
  return each.call.era.modern
    ? requireInput(deps, each)
    : [{ kind: 'request', id: question, method: 'elicitation/create', params }];
};

/** Ends the waiting request with what must be answered first; the turn itself waits on. */
const requireInput = ({ sealer, expiresAt, face }: AttendDeps, each: Attended): Outgoing[] => {
  const { callId, digest, id, batch } = each.call;
  each.listening = false;
  const requests = [...each.questions].map(([question, params]) => [
    toQuestionKey(question, params),
    { method: 'elicitation/create', params },
  ]);
  const result = {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(requests),
    requestState: sealer.seal({ callId, digest, expires: expiresAt() }),
    _meta: serverMeta(face),
  };
  return [{ kind: 'response', id, batch, result }];
};

/** Attaches a retry to its call; `hear` is told the events that were held back meanwhile. */
export const resume = (
  deps: AttendDeps,
  each: Attended | undefined,
  { call, verdicts }: Extract<Command, { kind: 'resume' }>,
  hear: (event: Event) => Outgoing[],
): Outgoing[] => {
  if (!each) return [refusal(call, INVALID_PARAMS, 'Invalid params: the call that params.requestState names is over')];
  if (each.listening) return [refusal(call, INVALID_REQUEST, 'Invalid Request: this call is being continued already')];
  each.call = { ...each.call, ...call };
  for (const question of verdicts.keys()) each.questions.delete(question);
  if (each.questions.size > 0) return requireInput(deps, each);
  each.listening = true;
  return each.held.splice(0).flatMap(hear);
};

const refusal = ({ id, batch }: Omit<Call, 'tool'>, code: number, message: string): Outgoing => ({
  kind: 'response',
  id,
  batch,
  error: { code, message },
});
