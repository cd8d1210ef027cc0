/** The errors of a model that answers wrongly or not at all, and whether the request may be sent again. */
import { isObject, type JsonObject, parseJson, wordOf } from '../../protocol/jsonrpc/json';
import { ModelError } from '../../protocol/model/model';
import { toShownUrl } from './request';
import { errorIn, wordsOf } from './serverError';
import { PATIENCE_MS, waitIn } from './waitIn';

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
  new ModelError(`Incomplete response returned, reason: ${wordOf(reason ?? 'unknown')}`, false);

/** An event of the stream is longer than any that a model would send. */
export const eventTooLong = (maxChars: number): ModelError =>
  new ModelError(`the model server sent an event of more than ${maxChars} characters`, false);

/** An answer is longer than any that a model would send. */
export const answerTooLong = (maxChars: number): ModelError =>
  new ModelError(`the model server sent an answer of more than ${maxChars} characters`, false);

/** The server answered with a document instead of a stream of events: an error in JSON, or a page. */
export const documentFailure = (text: string): ModelError => {
  const error = toErrorObject(text);
  if (wordsOf(error) !== undefined) return reportedFailure(error, '');
  const quote = quoteOf(error, text);
  return new ModelError(`the model server answered with a document instead of a stream of events: ${quote}`, false);
};

/** How much of a document an error quotes, in UTF-16 units. */
const MAX_QUOTE_CHARS = 600;
const MAX_PAGE_CHARS = 16_384;

/** The server's own words: the message of its error, or its text without the tags of a page. */
export const quoteOf = (error: JsonObject, body: string): string =>
  cut(wordsOf(error) ?? toPlainText(body.slice(0, MAX_PAGE_CHARS)));

const cut = (text: string): string => (text.length > MAX_QUOTE_CHARS ? `${text.slice(0, MAX_QUOTE_CHARS)}…` : text);

/** The text of a page without its tags; any other text without superfluous white space. */
export const toPlainText = (text: string): string =>
  text
    .replace(/<(script|style)\b(?:[^<]|<(?!\/?\1\b))*<\/\1\s*>/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
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

/**
 * The stream ended before the answer was whole.
 * @param words what the server wrote last that is no part of an answer
 */
export const closedFailure = (missing: string, words?: string): ModelError => {
  const closed = `stream closed before ${missing}`;
  return streamFailure(words === undefined ? closed : `${closed}; the server wrote: ${cut(words)}`);
};

/** The server reports in the stream that the answer failed. An error without words is quoted as it is. */
export const reportedFailure = (error: JsonObject, otherwise: string): ModelError => {
  const isEmpty = Object.values(error).every((value) => value === '' || value === null);
  const message = wordsOf(error) ?? (isEmpty ? otherwise : `${otherwise}: ${cut(JSON.stringify(error))}`);
  const remedy = refusalRemedy(message);
  if (remedy !== undefined) return new ModelError(`${message}; ${remedy}`, false);
  const isLasting = isFatal(error) || isRefused(error.code) || (waitIn(message) ?? 0) > PATIENCE_MS;
  return isLasting ? new ModelError(message, false) : streamFailure(message);
};

/** True for the status of a request that would be refused again; not for a timeout, a conflict, or too many requests. */
const isRefused = (code: unknown): boolean =>
  typeof code === 'number' && code >= 400 && code < 500 && ![408, 409, 425, 429].includes(code);

/** The error object of a body; empty if there is none: then the text itself is reported. Gemini wraps it in a list. */
export const toErrorObject = (body: string): JsonObject => {
  const value = parseJson(body);
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return (isObject(first) && errorIn(first)) || {};
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

const OTHER_TEMPLATE =
  'the chat template of the model cannot render this conversation; give the server another one (llama-server: --chat-template-file), or take another build of the model';
const NO_TOOLS = 'the agent works by calling tools; take a model that can call them, or let its server read its calls';
const NO_PICTURES =
  'the conversation has a picture, and stays so: begin a new thread, or take a model that reads pictures; tools.view_image = false keeps the agent from looking at any';
const NO_SEARCH = 'the server cannot search the web: set web_search = "disabled"';
const NO_THOUGHTS =
  'the request asks for thoughts, and the model has none: set model_supports_reasoning_summaries = false, or wire_api = "chat"';

/**
 * Texts of servers that cannot serve such a request as they are set up, and the remedies; the first match counts. The same request would be refused again.
 * Source: llama.cpp: its source; vLLM on pictures: its server, 17 August 2026; Ollama on pictures, thoughts and searches: its server,
 * 21 August 2026; LM Studio on pictures: 0.3.23, 0.3.30;
 * Ollama on tools, vLLM, LiteLLM, LM Studio, OpenRouter, Groq: answers quoted in public reports.
 */
const REFUSALS: readonly (readonly [text: RegExp, remedy: string])[] = [
  [/tools param requires --jinja/i, 'start llama-server with --jinja and without --no-jinja'],
  [
    /cannot use tools with stream/i,
    'this release of llama-server cannot send answers with tools as a stream; take a newer one',
  ],
  [
    /tool choice requires --enable-auto-tool-choice/i,
    'start vLLM with --enable-auto-tool-choice and --tool-call-parser PARSER, where PARSER is that of the model',
  ],
  [
    /no endpoints found that support (?:tool use|the provided '?"?tool)/i,
    `${NO_TOOLS}: openrouter.ai/models?supported_parameters=tools lists them`,
  ],
  [/UnsupportedParamsError/, `${NO_TOOLS}. LiteLLM leaves other parameters out with drop_params: true`],
  [
    /\bdoes(?: not|n't) support (?:tools?|function calling)\b/i,
    `${NO_TOOLS}; those of Ollama are at ollama.com/search?c=tools`,
  ],
  [/\btool(?:s| calling| use)?`? (?:is|are) not supported\b/i, NO_TOOLS],
  [/\bis not a multimodal model\b|\bdoes not support (?:images|multimodal requests)\b/i, NO_PICTURES],
  [/\bvision add-on is not loaded\b|\bimage input is not supported\b/i, NO_PICTURES],
  [/\bdoes not support thinking\b/i, NO_THOUGHTS],
  [/\bunsupported tool type: \W*type\W+web_search/i, NO_SEARCH],
  [/error rendering prompt with jinja template/i, `${OTHER_TEMPLATE} (LM Studio: My Models, Prompt Template)`],
  [/unable to generate parser for this template|\bjinja exception\b/i, OTHER_TEMPLATE],
  [/\bwhile executing \w+ at line \d+, column \d+ in source\b/i, OTHER_TEMPLATE],
  [/\b(?:value is not callable|cannot subscript)[^\n]{0,80} at row \d+, column \d+/i, OTHER_TEMPLATE],
];

/** What to do about a server that cannot serve the request; undefined if the text may describe a passing state. */
export const refusalRemedy = (text: string): string | undefined =>
  REFUSALS.find(([pattern]) => pattern.test(text))?.[1];
