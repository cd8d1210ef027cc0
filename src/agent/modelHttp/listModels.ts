/** Lists the models on a provider's server: shows that the server can be reached and accepts the key, and costs nothing. */
import { catchError, concatMap, defer, map, type Observable, throwError } from 'rxjs';
import type { HttpPost, HttpResponse } from '../../io/http/httpRequest';
import { isObject, parseObject } from '../../protocol/jsonrpc/json';
import { ModelError } from '../../protocol/model/model';
import type { Provider } from '../../protocol/model/provider';
import { failIfLate } from '../../streams/time/limits';
import { type Credential, toRejectedText } from './credentials';
import { FailedAttempt, toPlainText } from './failures';
import { readBody } from './readBody';
import { redact, secretsOf, toHeaders, toShownUrl, toUrl } from './request';
import { connectionFailure } from './statusFailure';

/** What the server answered. */
export type ModelList = {
  url: string;
  status: string;
  /** The names of the models; undefined if the response is not a list, as from servers that have none. */
  models?: string[];
  /** Where it redirects to, without the query. */
  location?: string;
  /** The server denied access: what to do about that. */
  rejected?: string;
  /** The beginning of a response that is not a list, without the tags of a page, with secrets removed. */
  text?: string;
};

type ListDeps = {
  post: HttpPost;
  env: Readonly<Record<string, string | undefined>>;
  credential: Credential | undefined;
};

const LIMIT_MS = 10_000;
const MAX_CHARS = 4_194_304;
const MAX_PAGE_CHARS = 4096;
const MAX_TEXT_CHARS = 300;

/** Emits one list and completes; errors with ModelError if no response comes within 10 s. Nothing is retried. */
export const listModels =
  ({ post, env, credential }: ListDeps) =>
  (provider: Provider): Observable<ModelList> =>
    defer(() => {
      const url = toUrl(provider, 'models', credential);
      const headers = toHeaders(env, provider, { credential, own: {} });
      const shown = toShownUrl(url);
      return post({ url, headers, body: '', method: 'GET', connectMs: LIMIT_MS }).pipe(
        catchError((error) => throwError(() => finalError(connectionFailure(url, error)))),
        concatMap((response) =>
          response.body$.pipe(
            readBody(MAX_CHARS),
            map((text) => ({
              url: shown,
              ...toList(provider, response, redact(text, secretsOf(env, provider, credential))),
            })),
          ),
        ),
        failIfLate(LIMIT_MS, () => noAnswer(shown)),
      );
    });

const finalError = (error: FailedAttempt | ModelError): ModelError =>
  error instanceof FailedAttempt ? error.finalError : error;

const noAnswer = (url: string): ModelError =>
  new ModelError(`no answer from ${url} within ${LIMIT_MS / 1000} s`, false);

const REJECTED = [401, 403];

const toList = (provider: Provider, response: HttpResponse, text: string): Omit<ModelList, 'url'> => {
  const { status, statusText, headers } = response;
  const { location } = headers;
  const models = status === 200 ? namesOf(text) : undefined;
  return {
    status: `${status} ${statusText}`,
    ...(models === undefined
      ? { text: toPlainText(text.slice(0, MAX_PAGE_CHARS)).slice(0, MAX_TEXT_CHARS) }
      : { models }),
    ...(status >= 300 && status < 400 && typeof location === 'string' && { location: toShownUrl(location) }),
    ...(REJECTED.includes(status) && { rejected: toRejectedText(provider) }),
  };
};

/** Source: OpenAI API, GET /models; Ollama, llama.cpp, vLLM and LM Studio answer in the same shape. An empty list of Ollama is null. */
const namesOf = (text: string): string[] | undefined => {
  const { data } = parseObject(text) ?? {};
  if (data === null) return [];
  return Array.isArray(data)
    ? data.flatMap((one: unknown) => (isObject(one) && typeof one.id === 'string' ? [one.id] : []))
    : undefined;
};
