/** The errors of a request without a usable response: a status other than 2xx, or no response at all. Another attempt may follow a FailedAttempt. */
import type { HttpResponse } from '../../io/http/httpRequest';
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { ModelError } from '../../protocol/model/model';
import { systemRemedy } from '../../streams/text/reasons';
import { withoutEndBreaks } from '../../streams/text/trim';
import { FailedAttempt, isFatal, quoteOf, refusalRemedy, toErrorObject, Unauthorized } from './failures';
import { toShownUrl } from './request';
import { PATIENCE_MS, waitIn } from './waitIn';

const BUSY = "We're currently experiencing high demand, which may cause temporary errors.";

const PROXY_LOGIN =
  'the proxy that the environment names requires another login: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT, with characters such as @ written as %40';

/**
 * The error of a status other than 2xx.
 * @param body the text of the response, with secrets removed
 * Source: Codex 0.28.0, cases mh00 to mh14, mh52, mh53; fatal codes and 401 are ours.
 */
export const statusFailure = (
  { status, statusText, headers }: Omit<HttpResponse, 'body$'>,
  body: string,
  { url, now, saysBusy, rejected, statusTexts }: StatusDeps,
): FailedAttempt | Unauthorized | ModelError => {
  const error = toErrorObject(body);
  const usage = status === 429 ? toUsageText(error) : undefined;
  if (usage !== undefined) return new ModelError(usage, false);
  const mayPass = (status === 429 || status >= 500) && !isFatal(error);
  const unexpected = `unexpected status ${status} ${statusText}: ${[redirectText(headers), body].filter(Boolean).join(' ')}`;
  const withAdvice = (advice: string) => new ModelError(`${withoutEndBreaks(unexpected)}; ${advice}`, false);
  if (status === 407) return withAdvice(PROXY_LOGIN);
  if (status === 401) return new Unauthorized(withAdvice(rejected));
  const remedy = refusalRemedy(body);
  if (remedy !== undefined) return withAdvice(remedy);
  if (status === 404 || status === 405) return withAdvice(`the request went to ${toShownUrl(url)}`);
  if (!mayPass) return new ModelError(unexpected, false);
  const limit = `exceeded retry limit, last status: ${status} ${statusText}`;
  const short = status === 500 && saysBusy ? BUSY : limit;
  const quote = quoteOf(error, body);
  const whole = quote === '' ? limit : `${limit}; the server answered: ${quote}`;
  const text = statusTexts === 'whole' ? whole : short;
  return attemptFailure(text, toRetryAfterMs(headers['retry-after'], now) ?? waitIn(quote));
};

const attemptFailure = (text: string, waitMs: number | undefined): FailedAttempt | ModelError =>
  waitMs === undefined || waitMs <= PATIENCE_MS
    ? new FailedAttempt(new ModelError(text, true), waitMs)
    : new ModelError(`${text}; the server asks to wait ${toDuration(waitMs / 1000)} before the next attempt`, false);

/** How a status other than 2xx is reported. */
export type StatusTexts = 'short' | 'whole';

/** How the error is reported. */
export type StatusDeps = {
  /** The address of the request. */
  url: string;
  /** Ms since 1970, for dates in Retry-After. */
  now: () => number;
  /** A 500 is reported as high demand once the attempts are used up, if texts are short. */
  saysBusy: boolean;
  /** What to do about a 401. */
  rejected: string;
  /** Whether the server's text is quoted for a request that was retried; short by default, as in 0.28.0. */
  statusTexts?: StatusTexts;
};

/** The new address of a redirect, which is not followed, because the key would go there. The query may hold a key. */
const redirectText = ({ location }: HttpResponse['headers']): string =>
  typeof location === 'string'
    ? `the server redirects to ${toShownUrl(location)}; set base_url to the new address.`
    : '';

/** Reads a Retry-After header, seconds or a date, as milliseconds from now; undefined if it is absent or unreadable. Source: RFC 9110 10.2.3. */
export const toRetryAfterMs = (header: string | string[] | undefined, now: () => number): number | undefined => {
  const text = [header].flat()[0]?.trim();
  if (!text) return undefined;
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined;
};

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

/** Explains to the user what the limit of a ChatGPT plan means; undefined if `error` is about something else. Source: Codex 0.28.0, cases mh08 to mh11. */
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

/** Plain explanations of connection errors; other errors, such as a bad certificate, have their own. */
const CAUSES: Readonly<Record<string, string>> = {
  ECONNECTTIMEOUT: 'connect_timeout_ms of the model provider sets this limit',
  ECONNREFUSED: 'nothing accepts connections there, is the model server running?',
  ECONNRESET: 'the connection was closed before an answer came',
  EPIPE: 'the connection was closed before the request was sent',
  ENOTFOUND: 'no host of this name is known; is the name right, and is there a network?',
  EAI_AGAIN: 'the name could not be looked up; is there a network?',
  ENETUNREACH: 'there is no route to it; is there a network?',
  EHOSTUNREACH: 'there is no route to it; is the host up?',
};

const TRUST =
  'the certificate is not trusted; SSL_CERT_FILE or NODE_EXTRA_CA_CERTS may name a file of authorities to trust';

/** The resources that this machine may run out of. */
const SCARCE = Object.fromEntries(['EMFILE', 'ENFILE', 'ENOMEM'].map((code) => [code, systemRemedy(code)]));

/** Errors that another attempt would hit again. Source: OpenSSL, X509_STORE_CTX_get_error; names as Node writes them. */
const LASTING: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: TRUST,
  SELF_SIGNED_CERT_IN_CHAIN: TRUST,
  UNABLE_TO_GET_ISSUER_CERT: TRUST,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: TRUST,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: TRUST,
  CERT_HAS_EXPIRED: 'the certificate is out of date, or the clock of this machine is wrong',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};

/** OpenSSL's text of an error, between its number and its position in the source. Source: Node 20 and 26. */
const OF_OPENSSL = /:SSL routines:[^:]*:([^:]+):/;

/** A server without TLS sends something other than the beginning of a handshake. */
const NOT_TLS = /^(?:wrong version number|packet length too long)$/;
const NO_TLS_THERE = 'the server speaks no TLS there: use http://, or the port where it does';

/** The URL, a header, or the environment is invalid. */
const FAULTS = new Set(['TypeError', 'SetupError']);

/** The error of a request that got no response. The query and a login are left out of its text. */
export const connectionFailure = (url: string, error: NodeJS.ErrnoException): FailedAttempt | ModelError => {
  const failure = (retryable: boolean) =>
    new ModelError(`error sending request for url (${toShownUrl(url)}): ${toCause(error)}`, retryable);
  const lasts = FAULTS.has(error.name) || Object.hasOwn(LASTING, error.code ?? '') || NOT_TLS.test(toText(error));
  return lasts ? failure(false) : new FailedAttempt(failure(true));
};

/** A name with several addresses fails with an error for each address, and has no text of its own. */
const toCause = (error: NodeJS.ErrnoException): string => {
  const { code = '' } = error;
  const causes: Error[] = error instanceof AggregateError && error.errors.length > 0 ? error.errors : [error];
  const text = [...new Set(causes.map(toText))].join(', ');
  const words = NOT_TLS.test(text) ? NO_TLS_THERE : (CAUSES[code] ?? LASTING[code] ?? SCARCE[code]);
  return words === undefined ? text : `${text} (${words})`;
};

const toText = ({ message }: Error): string => OF_OPENSSL.exec(message)?.[1] ?? message;
