/** Asking the person behind a client: by a request, or in 2026-07-28 by a result and a retry. */
import type { CodexEvent } from '../../protocol/codex/events';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { Outgoing } from '../../protocol/jsonrpc/messages';
import type { CallOutput } from '../calls/step';
import type { AskedClient } from '../faces/decisionForm';
import type { Face } from '../faces/faceOf';
import { toElicitation } from '../faces/toElicitation';
import type { Caller } from './caller';
import { serverMeta } from './methods/method';
import type { Sealer } from './methods/requestState';
import { toQuestionKey } from './questions/inputRequests';

/** `expiresAt` is when a state that is sealed now expires, in ms of the clock of the sealer. */
export type InputRequiredDeps = { face: Face; sealer: Sealer; expiresAt: () => number };

/** The params of `elicitation/create` as this face shows them. */
export const toQuestion = (face: Face, client: AskedClient, event: CodexEvent): JsonObject =>
  face.question(toElicitation(client, event), event.msg);

/**
 * The response to a request whose call waits for answers. The client calls again with them and with the state.
 * Source: 2026-07-28 basic/patterns/mrtr.
 */
export const toInputRequired = (
  deps: InputRequiredDeps,
  { call, questions }: Extract<CallOutput<Caller>, { kind: 'suspended' }>,
): Outgoing => {
  const { sealer, expiresAt, face } = deps;
  const { id, batch, digest, era, misread = [] } = call.caller;
  const requests = [...questions].map(
    ([question, event]) =>
      [
        toQuestionKey(question, event.msg),
        { method: 'elicitation/create', params: toQuestion(face, era, event) },
      ] as const,
  );
  const result = {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(requests),
    requestState: sealer.seal({
      callId: call.callId,
      digest,
      keys: requests.map(([key]) => key),
      misread,
      expires: expiresAt(),
    }),
    _meta: serverMeta(face),
  };
  return { kind: 'response', id, batch, result };
};
