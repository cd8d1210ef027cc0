/** The questions that an MCP server asks a person while it runs a call. */
import { defer, EMPTY, type Observable, of } from 'rxjs';
import type { ReviewResult } from '../../protocol/codex/engine';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import type { RpcRequest } from '../../protocol/rpc/messages';
import type { Peer } from '../../protocol/rpc/peer';
import type { CallEvent } from './toolServer';

type Question = RpcRequest<JsonObject>;

/** Whether a request asks a person by a form. The other mode, an address to be opened, is not declared. */
export const isForm = ({ method, params }: Question): boolean =>
  method === 'elicitation/create' && (params.mode ?? 'form') === 'form';

/** A person reads no more at once. Source: MCP 2025-11-25, elicitation: clients should limit the rate. */
const MAX_QUESTIONS = 8;

/**
 * The events of the questions of one call. Beyond a number of questions without an answer, a question is declined.
 * @param onAnswer called after each answer of the person
 */
export const askPerson = (
  peer: Pick<Peer<JsonObject>, 'respond'>,
  onAnswer: () => void,
): ((question: Question) => Observable<CallEvent>) => {
  let waiting = 0;
  const answered = (): void => {
    waiting -= 1;
    onAnswer();
  };
  return (question) =>
    defer(() => {
      if (waiting === MAX_QUESTIONS) {
        peer.respond(question.id, { result: { action: 'decline' } });
        return EMPTY;
      }
      waiting += 1;
      return of(toQuestion(peer, question, answered));
    });
};

const toQuestion = (
  peer: Pick<Peer<JsonObject>, 'respond'>,
  { id, params }: Question,
  onAnswer: () => void,
): CallEvent => {
  const schema = isObject(params.requestedSchema) ? params.requestedSchema : undefined;
  const hasFields =
    schema !== undefined && Object.keys(isObject(schema.properties) ? schema.properties : {}).length > 0;
  return {
    kind: 'question',
    message: typeof params.message === 'string' ? params.message : '',
    ...(hasFields && { schema }),
    answer: (verdict) => {
      peer.respond(id, { result: hasFields ? filled(verdict) : agreed(verdict) });
      onAnswer();
    },
  };
};

const agreed = ({ decision }: ReviewResult): JsonObject => {
  if (decision === 'denied') return { action: 'decline' };
  return decision === 'abort' ? { action: 'cancel' } : { action: 'accept', content: {} };
};

const filled = ({ decision, form }: ReviewResult): JsonObject => {
  if (form !== undefined) return { action: 'accept', content: form };
  return { action: decision === 'abort' ? 'cancel' : 'decline' };
};
