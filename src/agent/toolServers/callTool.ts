/** One call of a tool at its server: progress, questions, the time limit, and the result in the form that a model reads. */
import {
  catchError,
  connect,
  defer,
  filter,
  finalize,
  map,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  of,
  Subject,
  scan,
  startWith,
  switchMap,
  take,
  takeWhile,
  throttleTime,
  timer,
} from 'rxjs';
import { decodeMessage } from '../../protocol/jsonrpc/decodeMessage';
import { isObject, type JsonObject, toJson, toObject, wordOf } from '../../protocol/jsonrpc/json';
import type { Message } from '../../protocol/jsonrpc/messages';
import { hasLongNumber, parseExactly } from '../../protocol/jsonrpc/rawMembers';
import { MAX_OUTPUT_BYTES, shorten } from '../../protocol/model/shorten';
import type { RpcNotification } from '../../protocol/rpc/messages';
import type { Peer, RequestOptions } from '../../protocol/rpc/peer';
import { inputFirst } from '../../streams/time/limits';
import { askPerson, isForm } from './askPerson';
import type { CallEvent } from './toolServer';

type CallDeps = {
  /** The name of the server. */
  server: string;
  peer: Peer<JsonObject>;
  /** The ids of the calls that the server is running, the newest last, because a question names no call. */
  open: Set<number>;
  /** How long the server may send nothing about the call; a person may take any time to answer its question. */
  timeoutMs: number;
};

/**
 * Emits the events of the call; the last is `done`. Never errors. Unsubscribing, or silence for too long, cancels the call at the
 * server.
 *   server  --p--e---R      (p progress, e elicitation/create, R the result)
 *   out     --P--A---(D|)   (A asked, D done)
 */
export const callTool = (
  { server, peer, open, timeoutMs }: CallDeps,
  tool: string,
  args: JsonObject | undefined,
): Observable<CallEvent> =>
  defer(() => {
    let id = 0; // known once the request is sent; ids begin with 1
    const answered$ = new Subject<void>(); // from a person's answer back to the time limit
    const toSent = (newId: number): JsonObject => {
      id = newId;
      open.add(id);
      return toParams(id, tool, args);
    };
    const result$ = (giveUp$: Observable<string>) =>
      peer
        .request('tools/call', toSent, { giveUp$, cancel: cancelledNotification })
        .pipe(map((result): CallEvent => toDone(isObject(result) ? result : {})));
    return incomingOf({ peer, open, idOf: () => id, ask: askPerson(peer, () => answered$.next()) }).pipe(
      connect((event$) => merge(event$, result$(silence({ event$, answered$, timeoutMs })))),
      takeWhile(({ kind }) => kind !== 'done', true),
      catchError((error: Error) => of(failed(`tool call failed for \`${server}/${tool}\`: ${error.message}`))),
      finalize(() => open.delete(id)),
    );
  });

/** What is shown of the progress of a call has at least this distance. */
const PROGRESS_MS = 100;

type IncomingDeps = Pick<CallDeps, 'peer' | 'open'> & { idOf: () => number; ask: ReturnType<typeof askPerson> };

/** What the server sends about the call before its result. A question counts for the newest call, because it names none. */
const incomingOf = ({ peer, open, idOf, ask }: IncomingDeps): Observable<CallEvent> =>
  merge(
    peer.notifications$.pipe(
      filter((notification) => isProgressOf(idOf(), notification)),
      throttleTime(PROGRESS_MS, inputFirst, { leading: true, trailing: true }),
      map(toProgress),
    ),
    peer.incomingRequests$.pipe(
      filter((request) => isForm(request) && [...open].at(-1) === idOf()),
      mergeMap(ask),
    ),
  );

const toParams = (id: number, name: string, args: JsonObject | undefined): JsonObject => ({
  name,
  ...(args && { arguments: args }),
  _meta: { progressToken: id },
});

const isProgressOf = (id: number, { method, params }: RpcNotification<JsonObject>): boolean =>
  method === 'notifications/progress' && params.progressToken === id;

const toProgress = ({ params }: RpcNotification<JsonObject>): CallEvent => ({
  kind: 'progress',
  message: toWords(params),
});

type SilenceDeps = { event$: Observable<CallEvent>; answered$: Observable<void>; timeoutMs: number };

/**
 * Emits a reason once nothing has come for too long; the clock stands still while a question is open, whatever else comes. A client that cannot be asked
 * answers at once, which is before the question arrives here.
 *   event     --p--A--p-----
 *   answered  ------------y
 *   out       -------------------(R|)   (R the reason, `timeoutMs` after y)
 */
const silence = ({ event$, answered$, timeoutMs }: SilenceDeps): Observable<string> =>
  merge(event$.pipe(map(({ kind }) => (kind === 'question' ? 1 : 0))), answered$.pipe(map(() => -1))).pipe(
    scan((open, change) => open + change, 0),
    startWith(0),
    switchMap((open) => (open > 0 ? NEVER : timer(timeoutMs, inputFirst))),
    take(1),
    map(() => `the server sent nothing about it for ${timeoutMs / 1000} s`),
  );

/** `indexing (3 of 10)` */
const toWords = ({ message, progress, total }: JsonObject): string => {
  const amount = total === undefined ? wordOf(progress) : `${wordOf(progress)} of ${wordOf(total)}`;
  return typeof message === 'string' && message !== '' ? `${message} (${amount})` : amount;
};

/** `notifications/cancelled`. Source: MCP 2025-11-25, Cancellation; `initialize` may not be cancelled. */
export const cancelledNotification: NonNullable<RequestOptions['cancel']> = (requestId, reason) => ({
  kind: 'notification',
  method: 'notifications/cancelled',
  params: { requestId, reason },
});

/** Begins the text of a call that failed. */
const FAILED = 'tool call error: ';

type Done = Extract<CallEvent, { kind: 'done' }>;

/**
 * The structured content, or else the list of contents, as JSON with its long texts shortened. An error that the tool reports stays an error.
 * Source: Codex 0.28.0, CORE 9; there the error was not passed on, and bytes were.
 */
export const toDone = (result: JsonObject): Done => {
  const { structuredContent, content = [], isError } = result;
  const value = structuredContent ?? withoutBytes(content);
  const text =
    isError === true ? `${FAILED}${toShortJson(value, MAX_OUTPUT_BYTES - FAILED.length)}` : toShortJson(value);
  return { kind: 'done', result: { Ok: result }, text };
};

/** A result that is longer is not read exactly: a model is shown a small part of it. In UTF-16 units. */
const MAX_EXACT_CHARS = 1_048_576;

/** Decodes a line of a tool server, whose structured results keep the integers that a double cannot hold, such as ids of 64 bits. */
export const decodeToolMessage = (line: string): Message => {
  const message = decodeMessage(line);
  if (!('result' in message) || line.length > MAX_EXACT_CHARS || !hasLongNumber(line)) return message;
  const isExact = isObject(toObject(message.result).structuredContent);
  return isExact ? { ...message, result: toObject(parseExactly(line)).result } : message;
};

/** Images, audio and files are base64, which a model cannot read; it reads how many bytes there are. The client gets all of them. */
const withoutBytes = (content: unknown): unknown =>
  Array.isArray(content) ? content.map((part) => (isObject(part) ? withoutOwn(part) : part)) : content;

const withoutOwn = ({ data, resource, ...rest }: JsonObject): JsonObject => ({
  ...rest,
  ...(data !== undefined && { data: counted(data) }),
  ...(resource !== undefined && {
    resource: isObject(resource) && 'blob' in resource ? { ...resource, blob: counted(resource.blob) } : resource,
  }),
});

const counted = (base64: unknown): unknown =>
  typeof base64 === 'string' && base64.length > MAX_BASE64
    ? `(${Math.floor((base64.length * 3) / 4)} bytes, left out)`
    : base64;

const MAX_BASE64 = 256;

/** A call that failed, and why. */
export const failed = (why: string): Done => ({
  kind: 'done',
  result: { Err: why },
  text: `${FAILED}${why}`,
});

/** Texts are not cut below this size, even if the whole is too long. */
const MIN_BYTES = 256;

/**
 * The JSON of a value. If it would be too long, its long texts are shortened like the output of a command, each around a mark that counts
 * its lines, so that it stays JSON; if it is still too long, it is returned as it is then.
 */
export const toShortJson = (value: unknown, maxBytes = MAX_OUTPUT_BYTES): string => {
  const whole = toJson(value);
  const isShort = Buffer.byteLength(whole) <= maxBytes || withShort(value, MIN_BYTES) === value; // nothing can be cut
  return isShort ? whole : cutTexts(value, { textBytes: maxBytes, maxBytes });
};

const cutTexts = (value: unknown, { textBytes, maxBytes }: { textBytes: number; maxBytes: number }): string => {
  const text = toJson(withShort(value, textBytes));
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes || textBytes <= MIN_BYTES) return text;
  const next = Math.max(MIN_BYTES, Math.floor((textBytes * maxBytes) / bytes) - 1);
  return cutTexts(value, { textBytes: next, maxBytes });
};

/** The value with its long texts shortened; the same object if it has none. */
const withShort = (value: unknown, maxBytes: number): unknown => {
  if (typeof value === 'string') return value.length * 4 <= MIN_BYTES ? value : shorten(value, maxBytes);
  if (typeof value !== 'object' || value === null) return value;
  const old = value as JsonObject;
  let fresh = old;
  for (const name in old) {
    const one = withShort(old[name], maxBytes);
    if (one === old[name]) continue;
    if (fresh === old) fresh = (Array.isArray(old) ? [...old] : { ...old }) as JsonObject;
    fresh[name] = one;
  }
  return fresh;
};
