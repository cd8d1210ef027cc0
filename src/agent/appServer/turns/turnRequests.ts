/** The requests about a turn: the params of `turn/start`, which are the input and settings that differ from those of the thread; more input; a stop. */
import { resolve } from 'node:path';
import {
  catchError,
  combineLatest,
  connect,
  delay,
  EMPTY,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  type OperatorFunction,
  retry,
  scan,
  switchMap,
  take,
  takeUntil,
  tap,
  timer,
} from 'rxjs';
import { type Event, endsTurn, type Joined } from '../../../protocol/codex/events';
import type { ThreadOp, TurnOp, UserInput } from '../../../protocol/codex/operations';
import type { SandboxMode, ThreadSettings } from '../../../protocol/codex/settings';
import { type SandboxPolicy, type TurnSettings, withTurnSettings } from '../../../protocol/codex/turnSettings';
import { isObject, type JsonObject, withoutUndefined } from '../../../protocol/jsonrpc/json';
import { flatten } from '../../../streams/gather';
import { inputFirst } from '../../../streams/time/limits';
import type { InputOffer } from '../../turns/queueTurns';
import type { TurnStop } from '../../turns/turnEvents';
import type { Link } from '../connection/link';
import type { OpenDeps, OpenedThread } from '../threads/openThread';
import { addedTo, changedMembers } from '../threads/threadParams';
import type { TurnInput } from './reduceTurn';

/**
 * An input in the form that the server takes.
 * @param cwd the folder to which relative paths refer
 */
export const toItems = (input: readonly UserInput[], cwd: string): JsonObject[] =>
  input.map((item) => (item.type === 'localImage' ? { ...item, path: resolve(cwd, item.path) } : { ...item }));

/**
 * The thread, ready for a turn under settings of its own. The server keeps what a turn sets, so a setting that was for one turn only is reset by
 * the next. Throws ConfigError if settings exceed what the operator allows.
 * Source: codex app-server 0.142.0 to 0.169.0.
 */
export const withSettings = (deps: Pick<OpenDeps, 'paramsOf'>, opened: OpenedThread, op: ThreadOp): OpenedThread => {
  const { thread } = opened;
  const { lasting, settings }: Pick<TurnOp, 'lasting' | 'settings'> = 'input' in op ? op : {};
  const kept = thread.settings && lasting ? withTurnSettings(thread.settings, lasting) : thread.settings;
  const before = kept ?? thread.settings ?? {};
  const [always, once] = [overrides(deps, thread.settings ?? {}, lasting), overrides(deps, before, settings)];
  const base = { ...thread.base, ...always };
  const restored = Object.fromEntries(thread.once.map((key) => [key, base[key] ?? DEFAULTS[key]]).filter(isGiven));
  return {
    ...opened,
    thread: { ...thread, settings: kept, ...addedTo(thread, lasting), base, once: Object.keys(once) },
    turnParams: { ...opened.turnParams, ...restored, ...always, ...once },
  };
};

/** The values of a thread that sets none itself; the server does not accept null for them. Source: codex app-server 0.169.0. */
const DEFAULTS: Record<string, string> = { effort: 'medium', summary: 'auto' };

const isGiven = ([, value]: readonly unknown[]): boolean => value != null;

/** What a call or a turn sets, by itself or by a profile or a key of `config`. */
const overrides = (
  { paramsOf }: Pick<OpenDeps, 'paramsOf'>,
  thread: ThreadSettings,
  own?: TurnSettings,
): JsonObject => {
  if (own === undefined) return {};
  const params = paramsOf(withTurnSettings(thread, own));
  const byKeys = own.profile || own.config ? changedMembers(paramsOf(thread), params) : {};
  const keys: JsonObject = isObject(byKeys.config) ? byKeys.config : {};
  const mode: string | undefined = MODES[byKeys.sandbox as SandboxMode];
  const { model, effort, summary, cwd, approvalPolicy, sandbox } = own;
  return withoutUndefined({
    model: model ?? byKeys.model,
    effort: effort ?? keys.model_reasoning_effort,
    summary: summary ?? keys.model_reasoning_summary,
    cwd: cwd === undefined ? undefined : params.cwd,
    approvalPolicy: approvalPolicy ? params.approvalPolicy : byKeys.approvalPolicy,
    sandboxPolicy: sandbox ? toSandboxPolicy(sandbox) : mode && { type: mode },
  });
};

const MODES = {
  'read-only': 'readOnly',
  'workspace-write': 'workspaceWrite',
  'danger-full-access': 'dangerFullAccess',
} as const;

const toSandboxPolicy = ({ mode, ...rest }: SandboxPolicy): JsonObject => ({ type: MODES[mode], ...rest });

type SteerDeps = {
  link: Link;
  threadId: string;
  /** The folder of the thread. */
  cwd: string;
  /** Of the turn. */
  callId: string;
  /** The events of the turn, hot. */
  event$: Observable<Event>;
};

/**
 * Sends each input once the server has named its turn, and emits that it joined once the server has accepted it. An input that the server
 * refuses, that is withdrawn, or that comes too late is left to become a turn of its own. Completes with the turn and the last response.
 *   event$  --s------z      (s the first event with the id of the turn, z the last event)
 *   input$  i---i-----
 *   out     ---J-J---|      (J joined)
 * Source: codex app-server 0.142.0 to 0.169.0, `turn/steer`.
 */
export const steerTurn =
  ({ link, threadId, cwd, callId: turnCallId, event$ }: SteerDeps): OperatorFunction<InputOffer, Joined> =>
  (input$) => {
    const named$ = event$.pipe(
      map((event): Named => ({ kind: 'named', turnId: 'turnId' in event ? event.turnId : '' })),
      filter(({ turnId }) => turnId !== ''),
      take(1),
    );
    return merge(named$, input$).pipe(
      takeUntil(event$.pipe(filter(endsTurn))),
      scan(reduceSteering, NOTHING),
      map(({ output }) => output),
      flatten(),
      mergeMap(({ op: { callId, input }, turnId: expectedTurnId }) =>
        link.request('turn/steer', { threadId, expectedTurnId, input: toItems(input, cwd) }).pipe(
          map((): Joined => ({ kind: 'joined', callId, threadId, turnCallId })),
          catchError(() => EMPTY), // the turn itself reports a server that is gone
        ),
      ),
    );
  };

type Named = { kind: 'named'; turnId: string };

type Steering = {
  turnId: string;
  /** Inputs received before the id of the turn is known. */
  waiting: readonly TurnOp[];
  output: readonly Steer[];
};
type Steer = { op: TurnOp; turnId: string };

const NOTHING: Steering = { turnId: '', waiting: [], output: [] };

const reduceSteering = ({ turnId, waiting }: Steering, input: Named | InputOffer): Steering => {
  switch (input.kind) {
    case 'named':
      return { ...NOTHING, turnId: input.turnId, output: waiting.map((op) => ({ op, turnId: input.turnId })) };
    case 'offered':
      if (turnId === '') return { ...NOTHING, waiting: [...waiting, input.op] };
      return { ...NOTHING, turnId, output: [{ op: input.op, turnId }] };
    case 'withdrawn':
      return { turnId, waiting: waiting.filter(({ callId }) => callId !== input.callId), output: [] };
  }
};

/** How long a turn may take to end once it was interrupted, and the pause between attempts, in ms. */
const END_WAIT_MS = 3_000;
const RETRY_MS = 100;

type InterruptDeps = {
  link: Link;
  threadId: string;
  /** The newest known id of the turn; emits at once. */
  turnId$: Observable<string>;
};

/**
 * Interrupts the turn once, at the first stop; tries again while the server refuses, because a turn that was only just started is
 * not known at once, and whenever the id of the turn becomes known. Emits that the turn is being stopped, and that it has ended
 * if the server does not end it in time.
 *   stop  -x
 *   out   -S 3s (E|)
 * Source: codex app-server 0.142.0 to 0.169.0.
 */
export const interruptTurn =
  ({ link, threadId, turnId$ }: InterruptDeps): OperatorFunction<TurnStop, TurnInput> =>
  (stop$) =>
    stop$.pipe(
      take(1),
      connect((first$) => {
        const late$ = first$.pipe(delay(END_WAIT_MS, inputFirst));
        const requests$ = combineLatest([turnId$, first$]).pipe(
          switchMap(([turnId]) =>
            link.request('turn/interrupt', { threadId, turnId }).pipe(retry({ delay: () => timer(RETRY_MS) })),
          ),
          takeUntil(late$),
          ignoreElements(),
        );
        return merge(
          first$.pipe(map((stop): TurnInput => ({ kind: 'stopping', stop }))),
          requests$,
          late$.pipe(
            tap(() => link.giveUp(threadId)),
            map((end): TurnInput => ({ kind: 'ended', end })),
          ),
        );
      }),
    );
