/** The address, the headers and the body of a request to a model, and its secrets, which no text may repeat. */
import type { Observable, SchedulerLike } from 'rxjs';
import { secretsInLogin } from '../../io/log/maskAddress';
import { parseObject } from '../../protocol/jsonrpc/json';
import type { Provider } from '../../protocol/model/provider';
import { inTurns, type Pausing } from '../../streams/pausing';
import { withoutEndSlash, withoutLogin } from '../../streams/text/trim';
import type { Credential } from './credentials';

const OPENAI_URL = 'https://api.openai.com/v1';
/** Where a ChatGPT account is accepted. Source: Codex 0.28.0, CORE 2.3. */
const CHATGPT_URL = 'https://chatgpt.com/backend-api/codex';

/**
 * The address of a provider's endpoint, with its query encoded. A query in `base_url` stays one, and an endpoint at its end is not added twice: so
 * do the pages of Azure and of gateways show the address.
 */
export const toUrl = ({ baseUrl, queryParams }: Provider, path: string, credential?: Credential): string => {
  const base = baseUrl ?? (credential?.account === undefined ? OPENAI_URL : CHATGPT_URL);
  const [, address = '', own = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(base) ?? [];
  const query = [own, new URLSearchParams(queryParams).toString()].filter((part) => part !== '').join('&');
  return `${withoutEndSlash(withoutEndSlash(address).replace(ENDPOINT, ''))}/${path}${query === '' ? '' : `?${query}`}`;
};

const ENDPOINT = /\/(?:responses|chat\/completions)$/;

/** An address to show to people: without its query and its login, which may hold a key. */
export const toShownUrl = (url: string): string => withoutLogin(url.split('?')[0] as string);

type RequestHeaders = {
  /** If the provider needs one. */
  credential: Credential | undefined;
  /** Of the dialect. */
  own: Record<string, string>;
};

/**
 * Joins headers, names in lower case: the dialect's, then the key, then the provider's own, which win.
 * A header from an environment variable is left out if the variable is unset or blank.
 */
export const toHeaders = (
  env: Record<string, string | undefined>,
  { httpHeaders, envHttpHeaders }: Provider,
  { credential, own }: RequestHeaders,
): Record<string, string> => {
  const headers: Record<string, string> = {};
  const add = (name: string, value: string | undefined): void => {
    if (value) headers[name.toLowerCase()] = value;
  };
  add('content-type', 'application/json');
  add('accept', 'text/event-stream');
  for (const name in own) add(name, own[name]);
  if (credential !== undefined) add('authorization', `Bearer ${credential.key}`);
  add('chatgpt-account-id', credential?.account?.id);
  for (const name in httpHeaders) add(name, httpHeaders[name]);
  for (const name in envHttpHeaders) add(name, env[envHttpHeaders[name] as string]?.trim());
  return headers;
};

/** Removes secrets from a text that a server sent back. */
export const redact = (text: string, secrets: (string | undefined)[]): string =>
  secrets.reduce<string>((clean, secret) => (secret ? clean.replaceAll(secret, '***') : clean), text);

/** The secrets of a request. A configured header or parameter may hold a credential, whatever its name; so may an address with a login. */
export const secretsOf = (
  env: Readonly<Record<string, string | undefined>>,
  provider: Provider,
  credential: Credential | undefined,
): (string | undefined)[] => [
  credential?.key,
  ...Object.values(provider.envHttpHeaders).map((name) => env[name]?.trim()),
  ...[
    ...Object.values(provider.httpHeaders),
    ...Object.values(provider.queryParams),
    ...new URLSearchParams(provider.baseUrl?.split('?')[1]).values(),
  ].filter(isLong),
  ...secretsInLogin(provider.baseUrl ?? ''),
  ...Object.entries(env).flatMap(([name, address = '']) => (PROXY.test(name) ? secretsOfProxy(address) : [])),
];

const PROXY = /^(?:https?|all)_proxy$/i;

/** A proxy may repeat its login. An address of a proxy may have no scheme. */
const secretsOfProxy = (address: string): string[] =>
  secretsInLogin(address.includes('://') ? address : `http://${address}`);

/** Shorter values are words such as `true` or a version. */
const isLong = (value: string): boolean => value.length >= MIN_SECRET_CHARS;

const MIN_SECRET_CHARS = 8;

/**
 * The arguments of an earlier tool call. Text that is not a JSON object, such as that of a call that was cut off, is sent as the member `input` of one:
 * a server that parses the arguments of all calls would otherwise refuse this and every later request of the conversation.
 * Source: vLLM of 17 August 2026, both dialects: 400, `Unterminated string starting at: line 1 column 22 (char 21)`.
 */
export const toSentArguments = (args: string): string =>
  args === '' || parseObject(args) !== undefined ? args : JSON.stringify({ input: args });

/** Bytes after which a piece ends, with the item of a list that reaches them. */
const PIECE_BYTES = 262_144;

/**
 * Emits the JSON of an object once, as pieces in UTF-8, and completes: at once if it takes less than ten ms. Unsubscribing ends the work.
 * @param starts see `startsInTurns`
 *   out  (a|)         (a short body, at once)
 *   out  ---(abc|)
 */
export const requestBody = (starts: SchedulerLike, toMembers: () => object): Observable<readonly Uint8Array[]> =>
  inTurns(starts, () => piecesOf(toMembers));

function* piecesOf(toMembers: () => object): Pausing<Uint8Array[]> {
  const members = toMembers();
  const pieces: Uint8Array[] = [];
  let parts: string[] = [];
  let bytes = 0;
  yield;
  for (const part of partsOf(members)) {
    parts.push(part);
    bytes += Buffer.byteLength(part);
    if (bytes < PIECE_BYTES) continue;
    yield; // one item may have megabytes
    pieces.push(encoded(parts, bytes)); // out of the heap
    parts = [];
    bytes = 0;
    yield;
  }
  return [...pieces, encoded(parts, bytes)];
}

/** Each part is written by itself: joined to one text they would be copied twice more. */
const encoded = (parts: readonly string[], bytes: number): Uint8Array => {
  const piece = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const part of parts) at += piece.write(part, at);
  return piece;
};

/** As `JSON.stringify`; a list, or what makes its items, is a part for each item. */
function* partsOf(members: object): Generator<string> {
  yield '{';
  let comma = '';
  for (const [name, value] of Object.entries(members).filter(([, value]) => value !== undefined)) {
    yield `${comma}${JSON.stringify(name)}:`;
    comma = ',';
    if (isIterable(value)) yield* itemsOf(value);
    else yield JSON.stringify(value);
  }
  yield '}';
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

function* itemsOf(list: Iterable<unknown>): Generator<string> {
  let comma = '';
  yield '[';
  for (const item of list) {
    yield comma;
    yield JSON.stringify(item);
    comma = ',';
  }
  yield ']';
}
