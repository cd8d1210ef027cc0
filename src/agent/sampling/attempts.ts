/** The attempts at one answer of the model: what they may use together, and when they end. */
import type { Observable } from 'rxjs';
import type { Sampling } from '../../protocol/codex/events';
import type { ModelEvent } from '../../protocol/model/events';
import { ModelError } from '../../protocol/model/model';
import type { ModelRequest } from '../../protocol/model/request';
import { completeWithin } from '../../streams/time/completeWithin';
import type { BegunTurn, Sample } from '../thread/steps';
import { type SampleClientDeps, sampleClient } from './sampleClient';

/** @param clockMs ms since some moment; it never jumps, unlike the time of day. @param random 0 up to 1, for the pause before the model is asked again */
export type AttemptDeps = SampleClientDeps & { clockMs: () => number; random: () => number };

/** Asks the model once, within the requests and the time that earlier attempts at the same answer left over. Errors with ModelError. */
export const askModel = (
  deps: Omit<AttemptDeps, 'random'>,
  turn: Pick<BegunTurn, 'op' | 'thread'>,
  { request, tried }: { request: ModelRequest; tried: Required<Sample>['tried'] },
): Observable<ModelEvent | Sampling> => {
  const { model, config } = turn.thread;
  const { maxRetries, answerTimeoutMs, wireApi } = config.provider;
  if (wireApi === 'client') return sampleClient(deps, turn, request); // its time is that of a question
  const ms = answerTimeoutMs === 0 ? 0 : Math.max(1, tried.sinceMs + answerTimeoutMs - deps.clockMs());
  return model(request, { maxRequests: 1 + maxRetries - tried.requests }).pipe(
    completeWithin({ ms, toError: () => lateFailure(answerTimeoutMs) }),
  );
};

/** The sample that follows one that broke off. */
export const afterAttempt = (
  { attempt, lastMessage, tried }: Required<Sample>,
  error: ModelError,
): Required<Sample> => ({
  kind: 'sample',
  attempt: attempt + 1,
  lastMessage,
  tried: { ...tried, requests: tried.requests + error.tried.requests },
});

/** True if the model may be asked again after an error; `next` is the sample that would do so. */
export const mayRetry = (
  { thread }: Pick<BegunTurn, 'thread'>,
  next: Required<Sample>,
  { retryable }: ModelError,
): boolean => {
  const { streamMaxRetries, maxRetries } = thread.config.provider;
  return retryable && next.attempt <= streamMaxRetries && next.tried.requests <= maxRetries;
};

/**
 * Providers' words for a conversation that exceeds the context window.
 * Source: OpenAI, Azure, vLLM, llama.cpp, Ollama; LM Studio 0.3.13 to 0.4.21, as quoted in public reports.
 */
const TOO_LONG =
  /context_length_exceeded|context (?:window|length|size)|maximum context|prompt is too long|\bn_keep\b.{0,40}\bn_ctx\b/i;

/** True where the model would accept a shorter conversation. LM Studio reports that in a stream that has begun, whose errors may pass otherwise. */
export const isTooLong = ({ message }: ModelError): boolean => TOO_LONG.test(message);

/** The text of the last error of an answer; a timeout is reported with the number of failed attempts. */
export const toFinalText = ({ message, tried: { timedOut } }: ModelError, { tried }: Required<Sample>): string =>
  timedOut && tried.requests > 1 ? `${message}; tried ${tried.requests} times` : message;

const lateFailure = (answerTimeoutMs: number): ModelError =>
  new ModelError(
    `no complete answer of the model within ${answerTimeoutMs / 1000} s, which answer_timeout_ms of the model provider sets`,
    false,
    { requests: 1, timedOut: true },
  );
