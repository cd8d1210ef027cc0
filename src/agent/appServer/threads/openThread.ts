/** Gets a thread ready for a turn: started, loaded again, or as it is. */
import {
  catchError,
  defer,
  type MonoTypeOperatorFunction,
  map,
  type Observable,
  type OperatorFunction,
  of,
  retry,
  throwError,
  timer,
} from 'rxjs';
import type { EventMsg } from '../../../protocol/codex/eventMsg';
import {
  type ApprovalPolicy,
  SANDBOX_MODES,
  type SandboxMode,
  type ThreadSettings,
} from '../../../protocol/codex/settings';
import { type TurnSettings, withTurnSettings } from '../../../protocol/codex/turnSettings';
import { isObject, type JsonObject, textOf } from '../../../protocol/jsonrpc/json';
import { RpcError } from '../../../protocol/jsonrpc/messages';
import type { Bounds } from '../../../settings/bounds';
import type { CodexSettings } from '../../../settings/codexSettings';
import { modeBelow } from '../../../settings/limits/ceiling';
import { lastTurnContext } from '../../../threads/lines/sessionStart';
import { CannotBegin, noThreadText } from '../../turns/rejection';
import type { ThreadEntry } from '../../turns/threadRegistry';
import type { PromptHistory } from '../../wiring/disk';
import type { Link } from '../connection/link';
import { refusedSetting } from '../connection/refusedSetting';
import { read, ThreadResult } from '../shapes';
import { addedParams, addedTo, changesOfThread, policyOf } from './threadParams';

/** A thread that a server has in memory. */
export type Thread = {
  id: string;
  /** With which it was started; undefined for a thread of another program. */
  settings?: ThreadSettings;
  /** What calls changed of a thread that was started elsewhere, which only loading it applies. */
  added?: ThreadSettings;
  loadedBy: Link;
  /** Of its newest turn in this server, '' if it had none. */
  turnId: string;
  /** Its settings as params of `turn/start`. */
  base: JsonObject;
  /** The params that its newest turn set for itself only. */
  once: readonly string[];
  /** It was unsubscribed, so the server may have unloaded it. */
  isUnloaded?: true;
  place?: ServerPlace;
};

export type OpenDeps = {
  /** The settings of a thread as params. Throws ConfigError. */
  paramsOf: (settings: ThreadSettings) => JsonObject;
  /** The text at a path; undefined if it cannot be read. */
  readRollout: (path: string) => string | undefined;
  /** What the operator set, for threads that another program started. Throws ConfigError. */
  limits: () => StoredLimits;
  /** What a new thread reports of Codex's file of prompts. */
  promptHistory: () => PromptHistory;
};

/** A place where an app-server runs, on this machine or another. */
export type ServerPlace = Pick<OpenDeps, 'paramsOf' | 'readRollout' | 'limits'> & {
  /** The bounds of a thread with these settings. Throws ConfigError. */
  boundsOf: (settings: ThreadSettings) => Bounds;
  /** A server there that is ready, shared, and restarted when it has died; see sharedLink. */
  link$: Observable<Link>;
  /** Called with the id of each thread that begins there. */
  began: (threadId: string) => void;
};

/** A thread that can take a turn. */
export type OpenedThread = {
  thread: Thread;
  /** The events that come first. */
  msgs: EventMsg[];
  /** Required by its next turn. */
  turnParams: JsonObject;
  /** This server has just loaded it, so it cannot have been unloaded since. */
  isLoaded: boolean;
};

/** A thread that is to be opened. `lasting`: what the call changes of it, which a thread that the server has already gets when it is loaded again. */
export type OpeningThread = ThreadEntry<Thread> & { lasting?: TurnSettings };

/**
 * Emits once. Errors with CannotBegin, ConfigError or ConnectionLost. A thread of a previous app-server is resumed with its original settings, any
 * other thread with the settings in its rollout; then come the changes of the call.
 */
export const openThread = (
  deps: OpenDeps,
  link: Link,
  { id, settings, thread, lasting }: OpeningThread,
): Observable<OpenedThread> => {
  if (thread?.loadedBy === link && !thread.isUnloaded) return of({ thread, msgs: [], turnParams: {}, isLoaded: false });
  if (id !== undefined) {
    const known = thread?.settings ?? settings;
    const changed = known && withTurnSettings(known, changesOfThread(lasting));
    return resumeThread(deps, link, { id, settings: changed, ...addedTo({ settings: known, ...thread }, lasting) });
  }
  return settings === undefined ? reject(noThreadText({ newest: true })) : startThread(deps, link, settings);
};

const reject = (message: string): Observable<never> => throwError(() => new CannotBegin(message));

const startThread = (deps: OpenDeps, link: Link, settings: ThreadSettings): Observable<OpenedThread> =>
  defer(() => link.request('thread/start', deps.paramsOf(settings))).pipe(
    onRefusal(({ message }) => reject(refusedSetting(message) ?? message)),
    map((result) => {
      const { id } = read(ThreadResult, result).thread;
      const thread = { id, settings, loadedBy: link, turnId: '', ...baseOf(result) };
      return { thread, msgs: [sessionConfigured(id, result, deps.promptHistory())], turnParams: {}, isLoaded: true };
    }),
  );

/** Loads a thread that this server process does not have in memory. */
export const resumeThread = (
  deps: OpenDeps,
  link: Link,
  { id, settings, added }: Pick<Thread, 'id' | 'settings' | 'added'>,
): Observable<OpenedThread> =>
  defer(() => {
    const params = { threadId: id, ...(settings ? deps.paramsOf(settings) : addedParams(deps, added)) };
    const withTurns$ = link.request('thread/resume', params);
    // A version that does not know `excludeTurns` may refuse it.
    return link
      .request('thread/resume', { ...params, excludeTurns: true })
      .pipe(onRefusal((error) => (hasOtherWriter(error) ? throwError(() => error) : withTurns$)));
  }).pipe(
    untilReleased(),
    onRefusal((error) => reject(notLoadedText(id, error))),
    map((result) => {
      const { path } = read(ThreadResult, result).thread;
      const stored = () => storedTurn(path === '' ? undefined : deps.readRollout(path));
      const turnParams = settings ? {} : limitTurn(deps.limits(), stored());
      const thread = { id, settings, ...(added && { added }), loadedBy: link, turnId: '', ...baseOf(result) };
      return { thread, msgs: [], turnParams, isLoaded: true };
    }),
  );

/** The base of a thread in which no turn has set anything yet. */
const baseOf = (result: JsonObject): Pick<Thread, 'base' | 'once'> => {
  const { model, approvalPolicy, cwd, sandbox, reasoningEffort } = read(ThreadResult, result);
  const named = { model, approvalPolicy, cwd, effort: reasoningEffort };
  const base = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== ''));
  return { base: sandbox.type === '' ? base : { ...base, sandboxPolicy: result.sandbox }, once: [] };
};

/** How long an ended server may take to release its threads, and the pause between attempts, in ms. */
const RELEASE_MS = 5_000;
const RETRY_MS = 250;

/** Source: codex app-server 0.169.0. */
const hasOtherWriter = (error: unknown): boolean => error instanceof RpcError && /active writer/.test(error.message);

/** Tries again while another server process is writing the thread, such as a server that hung and is being ended. */
const untilReleased = <T>(): MonoTypeOperatorFunction<T> =>
  retry({
    count: RELEASE_MS / RETRY_MS,
    delay: (error) => (hasOtherWriter(error) ? timer(RETRY_MS) : throwError(() => error)),
  });

/** Handles a refusal of the server; other errors pass. */
export const onRefusal = <T, R>(act: (error: RpcError) => Observable<R>): OperatorFunction<T, T | R> =>
  catchError((error) => (error instanceof RpcError ? act(error) : throwError(() => error)));

const notLoadedText = (threadId: string, { message }: RpcError): string =>
  refusedSetting(message) ??
  `The thread ${threadId} could not be loaded: ${message}. A thread is stored only from its first turn on; start a new one with the tool codex.`;

const isMode = (text: string): text is SandboxMode => SANDBOX_MODES.includes(text as SandboxMode);

/** `workspaceWrite` in the form of config.toml. */
const toSandboxMode = (type: string): SandboxMode => {
  const mode = type.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return isMode(mode) ? mode : 'read-only';
};

/** The first event of a thread that an app-server has started. @param result of `thread/start` */
export const sessionConfigured = (threadId: string, result: JsonObject, history: PromptHistory): EventMsg => {
  const { model, modelProvider, approvalPolicy, sandbox, cwd } = read(ThreadResult, result);
  return {
    type: 'session_configured',
    session_id: threadId,
    model,
    model_provider_id: modelProvider,
    approval_policy: (approvalPolicy || 'on-request') as ApprovalPolicy,
    sandbox_mode: toSandboxMode(sandbox.type),
    cwd,
    mcp_servers: 'reported',
    ...history,
  };
};

const SANDBOX: Record<string, string> = {
  'read-only': 'readOnly',
  'workspace-write': 'workspaceWrite',
  'danger-full-access': 'dangerFullAccess',
};

const camel = (key: string): string => key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** `{type: 'workspace-write', network_access: …}` in the form of turn/start; undefined for an unknown kind. */
const toSandboxPolicy = (stored: unknown): JsonObject | undefined => {
  if (!isObject(stored)) return undefined;
  const { type, mode, ...rest } = stored;
  const kind = SANDBOX[textOf(type) || textOf(mode)];
  return kind === undefined
    ? undefined
    : { type: kind, ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [camel(key), value])) };
};

/**
 * The params of turn/start that restore the settings of a thread's last turn, which may get lost when a server loads it; empty if the rollout does not
 * name them.
 * Source: rollouts of codex 0.142.0 and 0.169.0; after a cold resume the first loses the approval policy, the second the sandbox.
 */
export const storedTurn = (rollout: string | undefined): JsonObject => {
  const context = rollout === undefined ? undefined : lastTurnContext(rollout.split('\n'));
  if (context === undefined) return {};
  const { approval_policy: approvalPolicy, sandbox_policy } = context;
  const sandboxPolicy = toSandboxPolicy(sandbox_policy);
  return {
    ...(typeof approvalPolicy === 'string' && { approvalPolicy }),
    ...(sandboxPolicy && { sandboxPolicy }),
  };
};

/** What the operator set for threads: see CodexSettings. */
export type StoredLimits = Pick<CodexSettings, 'policy' | 'mode' | 'config'>;

/** These params below the ceiling of the operator; if no policy is stored, with the policy of the operator. */
export const limitTurn = ({ policy, mode, config }: StoredLimits, turn: JsonObject): JsonObject => {
  const asked = turn.approvalPolicy ?? config.approval_policy ?? policy;
  const approvalPolicy = policyOf(asked as ApprovalPolicy | undefined, policy);
  const sandboxPolicy = isObject(turn.sandboxPolicy) ? sandboxBelow(turn.sandboxPolicy, mode) : undefined;
  return { ...(approvalPolicy && { approvalPolicy }), ...(sandboxPolicy && { sandboxPolicy }) };
};

const sandboxBelow = (sandbox: JsonObject, ceiling: SandboxMode | undefined): JsonObject => {
  const stored = Object.keys(SANDBOX).find((mode) => SANDBOX[mode] === sandbox.type) as SandboxMode;
  const mode = modeBelow(stored, ceiling);
  return mode === stored ? sandbox : { type: SANDBOX[mode] };
};
