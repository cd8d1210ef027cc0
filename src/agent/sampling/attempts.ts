/** The attempts at one answer of the model: what they may use together, and what follows when one fails. */
import { concat, map, type Observable, of, timer } from 'rxjs';
import type { Ask } from '../../protocol/codex/engine';
import type { Sampling } from '../../protocol/codex/events';
import type { ModelEvent } from '../../protocol/model/events';
import { ModelError } from '../../protocol/model/model';
import type { ModelRequest } from '../../protocol/model/request';
import { completeWithin } from '../../streams/time/limits';
import { backoffMs } from '../../streams/time/wait';
import { LONGEST_WAIT_MS } from '../modelHttp/retryRequest';
import { waitIn } from '../modelHttp/waitIn';
import { type BegunTurn, endOf, eventOf, type Sample, type TurnStep } from '../thread/steps';
import { sampleClient } from './sampleClient';

export type AttemptDeps = {
  /** Asks the client of a call. */
  ask: Ask;
  /** Time in ms, without jumps. */
  clockMs: () => number;
  /** From 0 up to 1, for the pause before the model is asked again. */
  random: () => number;
};

/** Asks the model once, within the requests and the time that earlier attempts at the same answer left over. Errors with ModelError. */
export const askModel = (
  deps: Pick<AttemptDeps, 'ask' | 'clockMs'>,
  turn: Pick<BegunTurn, 'op' | 'thread'>,
  { request, tried }: { request: ModelRequest; tried: Required<Sample>['tried'] },
): Observable<ModelEvent | Sampling> => {
  const { model, config } = turn.thread;
  const { maxRetries, answerTimeoutMs, wireApi } = config.provider;
  if (wireApi === 'client') return sampleClient(deps.ask, turn, request); // its time is that of a question
  const ms = answerTimeoutMs === 0 ? 0 : Math.max(1, tried.sinceMs + answerTimeoutMs - deps.clockMs());
  return model(request, { maxRequests: 1 + maxRetries - tried.requests }).pipe(
    completeWithin({ ms, toError: () => lateFailure(answerTimeoutMs) }),
  );
};

const lateFailure = (answerTimeoutMs: number): ModelError =>
  new ModelError(
    `no complete answer of the model within ${answerTimeoutMs / 1000} s, which answer_timeout_ms of the model provider sets`,
    false,
    { requests: 1, timedOut: true },
  );

/** A sample that has begun. */
export type BegunSample = Required<Sample>;

/** The sample, with the start of its first attempt. */
export const begunSample = ({ clockMs }: Pick<AttemptDeps, 'clockMs'>, sample: Sample): BegunSample => ({
  tried: { requests: 0, sinceMs: clockMs() },
  ...sample,
});

/** What follows an answer that broke off: `tooLong` for a conversation that was, else another attempt after a pause, or the end of the turn. */
export const afterBreak = (
  { random }: Pick<AttemptDeps, 'random'>,
  turn: BegunTurn,
  { sample, error }: { sample: BegunSample; error: ModelError },
): Observable<TurnStep> => {
  if (TOO_LONG.test(error.message)) return of({ kind: 'tooLong', message: error.message });
  const { streamMaxRetries, maxRetries } = turn.thread.config.provider;
  const attempt = sample.attempt + 1;
  const requests = sample.tried.requests + error.tried.requests;
  if (!error.retryable || attempt > streamMaxRetries || requests > maxRetries) {
    return of(...endOf(turn, { kind: 'failed', message: finalText(error, requests) }));
  }
  const delayMs = Math.round(Math.min(waitIn(error.message) ?? backoffMs(attempt, random), LONGEST_WAIT_MS));
  const message = `stream error: ${error.message}; retrying ${attempt}/${streamMaxRetries} in ${delayMs}ms…`;
  const next: BegunSample = { ...sample, attempt, tried: { ...sample.tried, requests } };
  return concat(of(eventOf(turn, { type: 'stream_error', message })), timer(delayMs).pipe(map(() => next)));
};

/**
 * Providers' words for a conversation that exceeds the context window, or a limit of their own on its length. LM Studio sends them in a stream that has
 * begun, whose errors may pass otherwise. `Too many tokens` alone is what Bedrock says of too many requests.
 * Source: OpenAI, Azure, vLLM, llama.cpp, Ollama; LM Studio 0.3.13 to 0.4.21; Anthropic, Gemini, Bedrock, Cohere, xAI, Groq, Moonshot, Zhipu, Alibaba,
 * Volcengine, Together, TGI, SiliconFlow, GitHub, LiteLLM, as quoted in public reports; 413: RFC 9110 15.5.14.
 */
const TOO_LONG = new RegExp(
  [
    /context_length_exceeded|context (?:window|length|size|limit|shift)|contextwindowexceeded|maximum (?:context|model length|prompt length)/,
    /(?:prompt|input) is too long|prompt exceeds max|too many tokens: total|request too large for|reduce the length of the messages/,
    /input token count.{0,40}exceed|input tokens exceeded|token count of \d+ exceed|exceeded model token limit|exceed max message tokens/,
    /`inputs` (?:tokens \+|must have less)|range of input length|\bmax_seq_len\b|\bn_keep\b.{0,40}\bn_ctx\b/,
    /tokens_limit_reached|^unexpected status 413\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);

/** A timeout is reported with the number of failed attempts. */
const finalText = ({ message, tried: { timedOut } }: ModelError, requests: number): string =>
  timedOut && requests > 1 ? `${message}; tried ${requests} times` : message;
