/** The attempts at one answer of the model: what they may use together, and when they end. */
import { type Observable, of, throwError } from 'rxjs';
import type { Ask } from '../../protocol/codex/engine';
import type { Sampling } from '../../protocol/codex/events';
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import type { ModelEvent } from '../../protocol/model/events';
import type { ResponseItem } from '../../protocol/model/items';
import { ModelError } from '../../protocol/model/model';
import type { ModelRequest } from '../../protocol/model/request';
import { completeWithin } from '../../streams/time/limits';
import type { BegunTurn, Sample } from '../thread/steps';
import { toSamplingParams } from './toSamplingParams';

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

/** @param ask asks the client of a call */
type SampleClientDeps = { ask: Ask };

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

/** The events, or why the result is no answer. */
type Sampled = { events: readonly ModelEvent[] } | { fault: string };

/**
 * The events of an answer: its text as one message, then its tool calls, then its end.
 * Source: MCP 2025-06-18 and 2025-11-25, `CreateMessageResult`.
 */
export const toSampled = ({ content, stopReason }: JsonObject): Sampled => {
  if (stopReason === 'maxTokens') return { fault: 'it was cut off at its token limit' };
  const parts = (Array.isArray(content) ? content : [content]).filter(isObject);
  const texts = parts.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []));
  const items = [...toMessages(texts.join('\n')), ...parts.flatMap(toCall)];
  if (items.length === 0) return { fault: 'it has neither text nor a tool call' };
  const events = items.map((item): ModelEvent => ({ kind: 'item', item }));
  return { events: [...events, { kind: 'completed', responseId: '', usage: null }] };
};

const toMessages = (text: string): ResponseItem[] =>
  text === '' ? [] : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }];

const toCall = ({ type, id, name, input }: JsonObject): ResponseItem[] =>
  type === 'tool_use' && typeof id === 'string' && typeof name === 'string'
    ? [{ type: 'function_call', name, arguments: JSON.stringify(input ?? {}), call_id: id }]
    : [];
