/** The errors of a model that does not answer, and whether the request may be sent again. */
import type { HttpResponse } from '../../io/http/httpRequest';
import { isObject, type JsonObject, parseJson } from '../../protocol/jsonrpc/json';
import { ModelError } from '../../protocol/model/model';
import { FailedAttempt, Unauthorized } from './failedAttempt';
import { refusalRemedy } from './refusals';
import { toShownUrl } from './request';

const BUSY = "We're currently experiencing high demand, which may cause temporary errors.";

const PROXY_LOGIN =
  'the proxy that the environment names requires another login: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT, with characters such as @ written as %40';

/** Codes of errors that the same request would meet again. Source: OpenAI API, error codes. */
const FATAL = new Set<unknown>([
  'context_length_exceeded',
  'insufficient_quota',
  'invalid_prompt',
  'usage_not_included',
]);

/** The answer began and broke off; the turn may send the request again. */
export const streamFailure = (reason: string): ModelError =>
  new ModelError(`stream disconnected before completion: ${reason}`, true);

/** The server ended the answer before the model did; the same request would end the same way. */
export const incompleteFailure = (reason: unknown): ModelError =>
  new ModelError(`Incomplete response returned, reason: ${reason ?? 'unknown'}`, false);

/** An event of the stream is longer than any that a model would send. */
export const eventTooLong = (maxChars: number): ModelError =>
  new ModelError(`the model server sent an event of more than ${maxChars} characters`, false);

/** An answer is longer than any that a model would send. */
export const answerTooLong = (maxChars: number): ModelError =>
  new ModelError(`the model server sent an answer of more than ${maxChars} characters`, false);

/** How much of a document an error quotes, in UTF-16 units. */
const MAX_QUOTE_CHARS = 600;
const MAX_PAGE_CHARS = 16_384;

/** The server answered with a document where a stream of events was expected: an error in JSON, or a page. */
export const documentFailure = (text: string): ModelError => {
  const error = toErrorObject(text);
  if (typeof error.message === 'string' && error.message !== '') return reportedFailure(error, '');
  const quote = toPlainText(text.slice(0, MAX_PAGE_CHARS));
  const rest = quote.length > MAX_QUOTE_CHARS ? '…' : '';
  return new ModelError(
    `the model server answered with a document instead of a stream of events: ${quote.slice(0, MAX_QUOTE_CHARS)}${rest}`,
    false,
  );
};

/** The text of a page without its tags; any other text without superfluous white space. */
export const toPlainText = (text: string): string =>
  text
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Nothing arrived for too long. `shownMs`: the limit to name in the text; 0.28.0 names none. */
export const idleFailure = (shownMs?: number): ModelError => {
  const { message, retryable } = streamFailure(`idle timeout waiting for SSE${shownMs ? stoodStill(shownMs) : ''}`);
  return new ModelError(message, retryable, { requests: 1, timedOut: true });
};

const stoodStill = (ms: number): string =>
  `; nothing more of the answer came within stream_idle_timeout_ms of the model provider (${ms / 1000} s)`;

/** The server accepted the connection and did not begin an answer. The query and a login are left out of the text. */
export const noAnswerFailure = (url: string, idleMs: number): ModelError =>
  new ModelError(
    `no answer from ${toShownUrl(url)} within ${idleMs / 1000} s, which stream_idle_timeout_ms of the model provider sets`,
    true,
    { requests: 1, timedOut: true },
  );

/** The server reports in the stream that the answer failed. */
export const reportedFailure = (error: JsonObject, otherwise: string): ModelError => {
  const message = typeof error.message === 'string' && error.message !== '' ? error.message : otherwise;
  const remedy = refusalRemedy(message);
  if (remedy !== undefined) return new ModelError(`${message}; ${remedy}`, false);
  return FATAL.has(error.code) || FATAL.has(error.type) ? new ModelError(message, false) : streamFailure(message);
};

/**
 * The error for a status other than 2xx.
 * @param body its text, with secrets removed
 * @param saysBusy a 500 is reported as high demand once the attempts are used up, where texts are short; @param rejected what to do about a 401
 * @param statusTexts whether the server's text is quoted for a request that was retried; 0.28.0 does not quote it
 * Source: Codex 0.28.0, cases mh00 to mh14, mh52, mh53; fatal codes and 401 are ours.
 */
export const statusFailure = (
  { status, statusText, headers }: Omit<HttpResponse, 'body$'>,
  body: string,
  { now, saysBusy, rejected, statusTexts }: StatusDeps,
): FailedAttempt | Unauthorized | ModelError => {
  const error = toErrorObject(body);
  const usage = status === 429 ? toUsageText(error) : undefined;
  if (usage !== undefined) return new ModelError(usage, false);
  const mayPass = (status === 429 || status >= 500) && !FATAL.has(error.code) && !FATAL.has(error.type);
  const unexpected = `unexpected status ${status} ${statusText}: ${[redirectText(headers), body].filter(Boolean).join(' ')}`;
  const withAdvice = (advice: string) => new ModelError(`${unexpected.replace(/\n+$/, '')}; ${advice}`, false);
  if (status === 407) return withAdvice(PROXY_LOGIN);
  if (status === 401) return new Unauthorized(withAdvice(rejected));
  const remedy = refusalRemedy(body);
  if (remedy !== undefined) return withAdvice(remedy);
  if (!mayPass) return new ModelError(unexpected, false);
  const limit = `exceeded retry limit, last status: ${status} ${statusText}`;
  const short = status === 500 && saysBusy ? BUSY : limit;
  const text = statusTexts === 'whole' ? `${limit}${quoteOf(error, body)}` : short;
  return attemptFailure(text, toRetryAfterMs(headers['retry-after'], now));
};

/** A server that asks for a longer wait is not asked again: it would refuse every remaining attempt. */
const PATIENCE_MS = 300_000;

const attemptFailure = (text: string, waitMs: number | undefined): FailedAttempt | ModelError =>
  waitMs === undefined || waitMs <= PATIENCE_MS
    ? new FailedAttempt(new ModelError(text, true), waitMs)
    : new ModelError(`${text}; the server asks to wait ${toDuration(waitMs / 1000)} before the next attempt`, false);

/** How a status other than 2xx is reported. */
export type StatusTexts = 'short' | 'whole';

type StatusDeps = { now: () => number; saysBusy: boolean; rejected: string; statusTexts?: StatusTexts };

/** What the server itself says, without the tags of a page; empty where it says nothing. */
const quoteOf = ({ message }: JsonObject, body: string): string => {
  const text = typeof message === 'string' && message !== '' ? message : toPlainText(body.slice(0, MAX_PAGE_CHARS));
  if (text === '') return '';
  return `; the server answered: ${text.slice(0, MAX_QUOTE_CHARS)}${text.length > MAX_QUOTE_CHARS ? '…' : ''}`;
};

/** The new address of a redirect, which is not followed, because the key would go there. The query may hold a key. */
const redirectText = ({ location }: HttpResponse['headers']): string =>
  typeof location === 'string'
    ? `the server redirects to ${toShownUrl(location)}; set base_url to the new address.`
    : '';

/** The error object of a body; empty where there is none: then the text itself is reported. Gemini wraps it in a list. */
const toErrorObject = (body: string): JsonObject => {
  const value = parseJson(body);
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const error = isObject(first) ? first.error : undefined;
  return isObject(error) ? error : typeof error === 'string' ? { message: error } : {};
};

/**
 * Reads a Retry-After header, seconds or a date, as milliseconds from now; undefined when absent or unreadable.
 * Source: RFC 9110 10.2.3.
 */
export const toRetryAfterMs = (header: string | string[] | undefined, now: () => number): number | undefined => {
  const text = [header].flat()[0]?.trim();
  if (!text) return undefined;
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined;
};

/** The texts of a ChatGPT plan's limits. Source: Codex 0.28.0, cases mh08 to mh11. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A duration for people, such as `3 hours 32 minutes`. */
const toDuration = (seconds: number): string => {
  const parts = UNITS.map(([unit, size], at) => {
    const whole = UNITS[at - 1]?.[1] ?? Number.POSITIVE_INFINITY;
    const count = Math.floor((seconds % whole) / size);
    return count === 0 ? '' : `${count} ${unit}${count === 1 ? '' : 's'}`;
  }).filter((part) => part !== '');
  return parts.length === 0 ? 'less than a minute' : parts.join(' ');
};

const isWait = (seconds: unknown): seconds is number => Number.isFinite(seconds) && Number(seconds) >= 0;

const toLimitText = ({ plan_type, resets_in_seconds }: JsonObject): string => {
  const when = isWait(resets_in_seconds) ? `in ${toDuration(resets_in_seconds)}` : 'later';
  return plan_type === 'plus'
    ? `You've hit your usage limit. Upgrade to Pro (https://openai.com/chatgpt/pricing) or try again ${when}.`
    : `You've hit your usage limit. Try again ${when}.`;
};

/** Explains to the user what a plan's limit means; undefined when `error` is not about one. */
export const toUsageText = (error: JsonObject): string | undefined => {
  switch (error.type) {
    case 'usage_limit_reached':
      return toLimitText(error);
    case 'usage_not_included':
      return 'To use Codex with your ChatGPT plan, upgrade to Plus: https://openai.com/chatgpt/pricing.';
    default:
      return undefined;
  }
};
