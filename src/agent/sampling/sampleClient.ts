/** The provider `client`: the MCP client of a call asks a model of its own. */
import { type Observable, of, throwError } from 'rxjs';
import type { Ask } from '../../protocol/codex/engine';
import type { Sampling } from '../../protocol/codex/events';
import type { ModelEvent } from '../../protocol/model/events';
import { ModelError } from '../../protocol/model/model';
import type { ModelRequest } from '../../protocol/model/request';
import type { BegunTurn } from '../thread/steps';
import { toSampled } from './toSampled';
import { toSamplingParams } from './toSamplingParams';

/** @param ask asks the client of a call */
export type SampleClientDeps = { ask: Ask };

/**
 * Asks the client for an answer of its model. Emits the question, then the answer as a model would emit it. Errors with ModelError where the
 * client cannot be asked, declines, or sends something that is not an answer.
 *   ask  ----y         (y the answer)
 *   out  Q---(mz|)     (Q the question, m a message, z completed)
 */
export const sampleClient = (
  { ask }: SampleClientDeps,
  { op, thread }: Pick<BegunTurn, 'op' | 'thread'>,
  request: ModelRequest,
): Observable<ModelEvent | Sampling> => {
  const { callId, samples } = op;
  const params = toSamplingParams(request, samples ?? 'text');
  return ask<ModelEvent | Sampling>(
    { callId, askable: samples !== undefined, cannotAsk: NO_SAMPLING },
    (question) => ({ kind: 'sampling', callId, threadId: thread.id, question, params }),
    ({ sampled, reason }) => {
      if (sampled === undefined) return throwError(() => noAnswer(reason));
      const answer = toSampled(sampled);
      return 'fault' in answer ? throwError(() => noAnswer(answer.fault)) : of(...answer.events);
    },
  );
};

const NO_SAMPLING = 'it declared no sampling; choose another model_provider';

const noAnswer = (reason = 'it declined'): ModelError =>
  new ModelError(`no answer from the client's model: ${reason}`, false);
