/** Owns getting a thread ready for a turn: begun, loaded again, or as it is. */
import { catchError, concatMap, defer, map, type Observable, type OperatorFunction, of, throwError } from 'rxjs';
import {
  type ApprovalPolicy,
  type EventMsg,
  SANDBOX_MODES,
  type SandboxMode,
  type ThreadSettings,
} from '../protocol/codex';
import { type JsonObject, RpcError } from '../protocol/jsonrpc';
import type { Link } from './link';
import { NotBegun } from './notBegun';
import { storedTurn } from './storedTurn';
import type { Thread } from './threads';
import { objectOf, textOf } from './wire';

/** @param paramsOf throws ConfigError; @param readRollout path => text, undefined when it cannot be read */
export type OpenDeps = {
  paramsOf: (settings: ThreadSettings) => JsonObject;
  readRollout: (path: string) => string | undefined;
};

/** A thread that can take a turn; `news` is told first, `turn` are params that its turns need. */
export type Opened = { threadId: string; news: EventMsg[]; turn: JsonObject; fresh: boolean };

const NO_THREAD = 'There is no thread on this connection yet. Start one with the tool codex, or pass a threadId.';

/**
 * Emits once. Errors with NotBegun, ConfigError, or because the server is gone.
 * A thread that another server process had is resumed with the settings it was begun with; one that was begun elsewhere
 * with what its rollout tells.
 */
export const openThread = (deps: OpenDeps, link: Link, thread: Thread): Observable<Opened> =>
  defer(() => {
    if (thread.id === undefined)
      return thread.settings ? start(deps, link, thread, thread.settings) : refuse(NO_THREAD);
    if (thread.loadedBy === link) return of(asItIs(thread.id));
    thread.turnId = undefined; // what another process called its turns says nothing about those of this one
    return resume(deps, link, thread, thread.id);
  });

const refuse = (message: string): Observable<never> => throwError(() => new NotBegun(message));

const asItIs = (threadId: string): Opened => ({ threadId, news: [], turn: {}, fresh: false });

const start = (deps: OpenDeps, link: Link, thread: Thread, settings: ThreadSettings): Observable<Opened> =>
  link.ask('thread/start', deps.paramsOf(settings)).pipe(
    orElse((error) => refuse(error.message)),
    map((answer) => {
      const threadId = textOf(objectOf(answer.thread).id);
      thread.id = threadId;
      thread.loadedBy = link;
      return { threadId, news: [configured(threadId, answer)], turn: {}, fresh: true };
    }),
  );

/** Loads a thread that this server process does not have in memory. */
export const resume = (deps: OpenDeps, link: Link, thread: Thread, threadId: string): Observable<Opened> =>
  defer(() => {
    const params = { threadId, ...(thread.settings && deps.paramsOf(thread.settings)) };
    const plain$ = link.ask('thread/resume', params);
    // Who does not know that all turns can be left out of the answer may refuse it.
    return link.ask('thread/resume', { ...params, excludeTurns: true }).pipe(orElse(() => plain$));
  }).pipe(
    orElse((error) => refuse(lost(threadId, error))),
    map((answer) => {
      thread.loadedBy = link;
      const rollout = textOf(objectOf(answer.thread).path);
      const turn = thread.settings || rollout === '' ? {} : storedTurn(deps.readRollout(rollout));
      return { threadId, news: [], turn, fresh: true };
    }),
  );

/**
 * Starts a turn. Emits its id. A thread that the server has let go of in the meantime is resumed first.
 * Errors with RpcError when the server does not take the turn.
 */
export const startTurn = (
  deps: OpenDeps,
  link: Link,
  thread: Thread,
  { threadId, turn, fresh }: Opened,
  prompt: string,
): Observable<string> => {
  const input = [{ type: 'text', text: prompt }];
  const start = (params: JsonObject) =>
    link.ask('turn/start', { threadId, input, ...params }).pipe(map((answer) => textOf(objectOf(answer.turn).id)));
  const again = () => resume(deps, link, thread, threadId).pipe(concatMap((opened) => start(opened.turn)));
  return fresh ? start(turn) : start(turn).pipe(orElse(again));
};

/** What to do instead when the server refused. */
const orElse = <T, R>(act: (error: RpcError) => Observable<R>): OperatorFunction<T, T | R> =>
  catchError((error) => (error instanceof RpcError ? act(error) : throwError(() => error)));

const lost = (threadId: string, { message }: RpcError): string =>
  `The thread ${threadId} could not be loaded: ${message}. A thread is kept from its first turn on; start a new one with the tool codex.`;

const isMode = (text: string): text is SandboxMode => SANDBOX_MODES.includes(text as SandboxMode);

/** `workspaceWrite` as the word of config.toml. */
const modeOf = (sandbox: unknown): SandboxMode => {
  const word = textOf(objectOf(sandbox).type).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return isMode(word) ? word : 'read-only';
};

const configured = (threadId: string, answer: JsonObject): EventMsg => ({
  type: 'session_configured',
  session_id: threadId,
  model: textOf(answer.model),
  model_provider_id: textOf(answer.modelProvider),
  approval_policy: (textOf(answer.approvalPolicy) || 'on-request') as ApprovalPolicy,
  sandbox_mode: modeOf(answer.sandbox),
  cwd: textOf(answer.cwd),
  history_log_id: 0,
  history_entry_count: 0,
});
