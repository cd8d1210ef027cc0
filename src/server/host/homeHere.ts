/** The home of this machine for the Codex methods: its login, and its stored conversations. */
import {
  catchError,
  defer,
  type MonoTypeOperatorFunction,
  map,
  mergeMap,
  type OperatorFunction,
  of,
  reduce,
  type SchedulerLike,
  throwError,
} from 'rxjs';
import { preferredLogin, type Wiring } from '../../agent/wiring/wiring';
import { FileError } from '../../io/files/fileError';
import { toUuid } from '../../protocol/codex/toUuid';
import { wordOf } from '../../protocol/jsonrpc/json';
import { type CodexHost, type FoundConversation, HostError } from '../../protocol/methods/host';
import { type Login, loginIfReadable } from '../../settings/auth/accounts';
import { AuthError } from '../../settings/auth/authError';
import type { LoginEvent } from '../../settings/auth/browserLogin';
import { accountsHere, startLogin } from '../../settings/logins/accountsHere';
import { lazy } from '../../streams/lazy';
import { inTurns, type Pausing } from '../../streams/pausing';
import { parseLine } from '../../threads/lines/readRolloutLine';
import { lastTurnContext } from '../../threads/lines/sessionStart';
import {
  addLines,
  isOfThread,
  nothingRead,
  type ReadLines,
  type StoredThread,
  toThread,
} from '../../threads/lines/storedThread';
import { ThreadError } from '../../threads/threadError';
import type { ThreadPiece, ThreadStore } from '../../threads/threadStore';
import { type ThreadTexts, toThreadTexts } from '../../threads/transcript';

/** Each login opens a server on loopback while it is subscribed. */
export const accountHere = (wiring: Wiring): CodexHost['account'] => {
  const preferred = lazy(() => preferredLogin(wiring)); // a client may ask often, and each reading loads the whole configuration
  const accounts = lazy(() => accountsHere({ ...wiring, preferred }));
  return {
    current: () => toShown(loginIfReadable(() => accounts().current())),
    preferred,
    refresh$: defer(() => accounts().refresh$),
    logout$: defer(() => of(accounts().logout())).pipe(toHostErrors()),
    login$: defer(() => startLogin({ method: 'browser', processInfo: wiring.processInfo })).pipe(
      map(toShownEvent),
      toHostErrors(),
    ),
  };
};

/** What a client gets of a login: where to log in, and that it is done; no token. */
export const toShownEvent = (event: LoginEvent): { kind: 'waiting'; url: string } | { kind: 'loggedIn' } =>
  event.kind === 'waiting' ? { kind: event.kind, url: event.url.replaceAll('+', '%20') } : { kind: event.kind };

const toShown = (login: Login): ReturnType<CodexHost['account']['current']> => {
  switch (login.kind) {
    case 'none':
      return {};
    case 'apikey':
      return { method: 'apikey', token: login.key };
    case 'chatgpt':
      return { method: 'chatgpt', token: login.tokens.accessToken, email: login.tokens.claims.email };
  }
};

type StoredHost = Pick<CodexHost, 'listStored' | 'findStored' | 'readStored' | 'archiveStored'>;

type StoredDeps = {
  /** Opens the store when it is first needed. */
  open: () => ThreadStore;
  /** Removes the secrets from a text. */
  hide: (text: string) => Pausing<string>;
  /** When long work goes on; see `startsInTurns`. */
  starts: SchedulerLike;
};

/** The stored conversations for the Codex methods, and as texts for clients. */
export const storedConversations = ({ open, hide, starts }: StoredDeps): StoredHost => {
  const store = lazy(open);
  return {
    listStored: (page) => defer(() => store().list({ archived: false, ...page })).pipe(toHostErrors()),
    findStored: ({ id, path = '' }) =>
      defer(() => store().read(id ?? idIn(path))).pipe(
        toHostErrors(),
        reduce(withModel, { id: '', path: '', model: '' }),
      ),
    readStored: (id) =>
      defer(() => store().read(wholeId(id)).pipe(readItems())).pipe(
        toHostErrors(),
        mergeMap((read) => inTurns(starts, () => textsOf(hide, toThread(read) ?? { id, items: [] }))),
      ),
    archiveStored: (id) => defer(() => store().archive(wholeId(id))).pipe(toHostErrors()),
  };
};

function* textsOf(hide: StoredDeps['hide'], thread: Pick<StoredThread, 'id' | 'items'>): Pausing<ThreadTexts> {
  const { transcript, answer, diff } = yield* toThreadTexts(thread);
  return { transcript: yield* hide(transcript), answer: yield* hide(answer), diff: yield* hide(diff) };
}

const readItems = (): OperatorFunction<ThreadPiece, ReadLines> =>
  reduce((read, { lines }) => addLines(read, lines.filter(isOfThread).flatMap(parseLine)), nothingRead());

/** What is found of a conversation, by its last context. */
const withModel = (found: FoundConversation, { summary: { id, path }, lines }: ThreadPiece): FoundConversation => {
  const context = lastTurnContext(lines);
  return { id, path, model: context === undefined ? found.model : wordOf(context.model ?? '') };
};

/** A change needs the whole id; its beginning is enough for people, and for requests that change nothing. */
const wholeId = (id: string): string => {
  const whole = toUuid(id);
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(whole)) return whole;
  throw new HostError('name the conversation by its whole id');
};

/** A rollout ends with the id of its thread. Source: Codex 0.28.0, `rollout-<time>-<id>.jsonl`. */
const idIn = (path: string): string => {
  const id = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(path)?.[1];
  if (id === undefined) throw new HostError('name it by conversationId, or by the path of its rollout');
  return id;
};

/**
 * The error of a login, a file or a thread that cannot be used becomes a HostError with the same message; any other error is a bug and passes.
 *   in   a-#     (FileError)
 *   out  a-#     (HostError)
 */
export const toHostErrors = <T>(): MonoTypeOperatorFunction<T> =>
  catchError((error: Error) => throwError(() => (isOfHost(error) ? new HostError(error.message) : error)));

const isOfHost = (error: Error): boolean =>
  error instanceof AuthError || error instanceof FileError || error instanceof ThreadError;
