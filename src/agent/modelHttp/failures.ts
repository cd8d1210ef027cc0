/** The errors of a model that answers wrongly or not at all, and whether the request may be sent again. Those of a status are in statusFailure. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc/json';
import { parseJson } from '../../protocol/jsonrpc/parseJson';
import { ModelError } from '../../protocol/model/model';
import { refusalRemedy } from './refusals';
import { toShownUrl } from './request';

/** True for an error that the same request would meet again. */
export const isFatal = ({ code, type }: JsonObject): boolean => FATAL.has(code) || FATAL.has(type);

/** Source: OpenAI API, error codes. */
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

/** The server answered with a document instead of a stream of events: an error in JSON, or a page. */
export const documentFailure = (text: string): ModelError => {
  const error = toErrorObject(text);
  if (typeof error.message === 'string' && error.message !== '') return reportedFailure(error, '');
  const quote = quoteOf(error, text);
  return new ModelError(`the model server answered with a document instead of a stream of events: ${quote}`, false);
};

/** How much of a document an error quotes, in UTF-16 units. */
const MAX_QUOTE_CHARS = 600;
const MAX_PAGE_CHARS = 16_384;

/** The server's own words: the message of its error, or its text without the tags of a page. */
export const quoteOf = ({ message }: JsonObject, body: string): string => {
  const text = typeof message === 'string' && message !== '' ? message : toPlainText(body.slice(0, MAX_PAGE_CHARS));
  return text.length > MAX_QUOTE_CHARS ? `${text.slice(0, MAX_QUOTE_CHARS)}…` : text;
};

/** The text of a page without its tags; any other text without superfluous white space. */
export const toPlainText = (text: string): string =>
  text
    .replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * Nothing arrived for too long.
 * @param shownMs the limit to name in the text; 0.28.0 names none
 */
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
  return isFatal(error) ? new ModelError(message, false) : streamFailure(message);
};

/** The error object of a body; empty if there is none: then the text itself is reported. Gemini wraps it in a list. */
export const toErrorObject = (body: string): JsonObject => {
  const value = parseJson(body);
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const error = isObject(first) ? first.error : undefined;
  return isObject(error) ? error : typeof error === 'string' ? { message: error } : {};
};

/**
 * One attempt failed and another may succeed.
 * @param finalError the error if no attempt is left
 * @param waitMs how long the server asks to wait
 */
export class FailedAttempt extends Error {
  override name = 'FailedAttempt';
  constructor(
    readonly finalError: ModelError,
    readonly waitMs?: number,
  ) {
    super(finalError.message);
  }
}

/**
 * The server rejected the credential.
 * @param finalError the error if there is no other credential
 */
export class Unauthorized extends Error {
  override name = 'Unauthorized';
  constructor(readonly finalError: ModelError) {
    super(finalError.message);
  }
}

/** Far more than the calls that a model makes at once; the items before an item are copied for each item. */
const MAX_ITEMS = 1_024;

/** Throws ModelError if an answer has more items than any model sends: an endless answer must neither fill the memory nor hold up others. */
export const limitItems = (count: number): void => {
  if (count > MAX_ITEMS) throw new ModelError(`the model server sent an answer of more than ${MAX_ITEMS} items`, false);
};
