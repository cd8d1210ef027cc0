/** Finds the error that a server reports in place of an answer, in any of the spellings that servers use. */
import { isObject, isText, type JsonObject, parseJson, parseObject, toObject } from '../../protocol/jsonrpc/json';

/** Members that hold the words of an error, in the order in which they are looked up. */
const WORDS = [
  'message',
  'msg',
  'error_message',
  'error_msg',
  'errmsg',
  'status_msg',
  'detail',
  'reason',
  'description',
];

/** Members that hold an error of their own. */
const WRAPPERS = ['error', 'errors', 'err', 'exception'];

/** Members that hold a number which is 0, or below 400, if all is well. */
const CODES = ['code', 'status', 'status_code', 'statusCode', 'error_code', 'errcode'];

/** Words that mark an object as an error, as its kind or its status. */
const FAULT = /(?:^|[._\s])(?:error|exception|fail(?:ed|ure)?)$/i;

/**
 * The words of an error; undefined if it has none. A list of faults, such as FastAPI's, is quoted as JSON. The error of the server behind a gateway follows.
 * Source: OpenRouter, whose own words are `Provider returned error`.
 */
export const wordsOf = (error: JsonObject): string | undefined => {
  const found = WORDS.map((name) => error[name]).find((value) => (isText(value) ? value !== '' : Array.isArray(value)));
  const words = isText(found) || found === undefined ? found : JSON.stringify(found);
  const { raw } = toObject(error.metadata);
  return words !== undefined && isText(raw) && raw !== '' && !words.includes(raw)
    ? `${words}: ${wordsBehind(raw)}`
    : words;
};

const wordsBehind = (raw: string): string => {
  const error = parseObject(raw);
  return (error && wordsOf(errorIn(error) ?? error)) ?? raw;
};

/**
 * The error that an object reports: its member `error` in any form, or the object itself if it is marked as an error; undefined for any other object.
 * Source: OpenAI, Anthropic, FastAPI, vLLM, LMDeploy, llama.cpp, LiteLLM, OpenRouter, Gemini, MiniMax, Baidu and Zhipu, as quoted in public reports.
 */
export const errorIn = (object: JsonObject): JsonObject | undefined => {
  for (const name of WRAPPERS) {
    const found = toError(object[name]);
    if (found !== undefined) return found;
  }
  const { base_resp: base } = object;
  if (isObject(base) && base.status_code !== 0 && wordsOf(base) !== undefined) return base;
  return isMarked(object) ? object : undefined;
};

const toError = (value: unknown): JsonObject | undefined => {
  const one: unknown = Array.isArray(value) ? value[0] : value;
  if (isText(one)) return one === '' ? undefined : { message: one };
  return isObject(one) ? (toError(one.error) ?? one) : undefined;
};

const isMarked = (object: JsonObject): boolean =>
  [object.object, object.type, object.status, object.code].some((mark) => isText(mark) && FAULT.test(mark)) ||
  (object.error !== undefined && object.error !== null && object.error !== false && object.error !== '') ||
  object.success === false ||
  CODES.some((name) => isFaultCode(object[name])) ||
  (object.detail !== undefined && wordsOf({ detail: object.detail }) !== undefined);

const isFaultCode = (code: unknown): boolean =>
  typeof code === 'number' ? code >= 400 || code < 0 : isText(code) && /^[45]\d\d$/.test(code);

/** The text of an event of the name `error` as data that `errorIn` finds. */
export const toErrorData = (text: string): string => JSON.stringify({ error: parseJson(text) ?? text });

/** Text in the place of data that may be the last thing which a server has to say: words, and not a sign of life such as `ping`. */
export const lastWordsIn = (data: string): string | undefined => {
  const value = parseJson(data);
  if (isObject(value)) return wordsOf(value);
  const text = isText(value) ? value : data;
  return /\w\W+\w/.test(text) && !/^\s*[[{<]/.test(text) ? text.trim() : undefined;
};
