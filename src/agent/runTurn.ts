/** Owns one turn, from the user's message to its last event. */
import {
  catchError,
  concat,
  concatMap,
  defer,
  endWith,
  filter,
  merge,
  type Observable,
  of,
  repeat,
  takeUntil,
  takeWhile,
  tap,
  timer,
} from 'rxjs';
import type { Config } from '../config';
import type { Log } from '../log';
import { type Event, isLast } from '../protocol';
import { toTimerMs } from '../streams';
import type { ToolSet } from '../toolServers';
import { openingItems, toMessage } from './context';
import { type Memory, remember, settle } from './memory';
import { type SampleDeps, sampleOnce } from './sampleOnce';
import { abort, fail, type Sample, type Step, type Turn, tell } from './step';

/**
 * `userInstructions` are those of AGENTS.md files, for a folder and at most so many bytes of a project. `toolsOf` emits once
 * what the MCP servers of a configuration offer, and never errors.
 */
export type TurnDeps = SampleDeps & {
  toolsOf: (config: Config) => Observable<ToolSet>;
  log: Log;
  turnTimeoutMs: number;
  userInstructions: (cwd: string, maxBytes: number) => string | undefined;
};

/**
 * Runs a turn. Emits its events; the last is `task_complete` or `turn_aborted`, and then nothing of it is left running.
 * @param memory of the thread; from here on this turn's own
 * @param stop$ emits when the caller wants no more of it
 * Never errors. Unsubscribing stops the model and every command.
 *   model  -t--z|        stop$ ---x
 *   out    sT--(Uc|)           sT-(a|)   (s task_started, U token_count, c task_complete, a turn_aborted)
 */
export const runTurn =
  (deps: TurnDeps) =>
  (turn: Turn, memory: Memory, stop$: Observable<unknown>): Observable<Event> =>
    concat(of(...opening(turn)), merge(samples(deps, turn, memory), deadline(deps, turn))).pipe(
      takeWhile(isNoStop),
      takeUntil(stop$),
      endWith(abort(turn)),
      filter(isEvent),
      takeWhile((event) => !isLast(event), true),
    );

const isNoStop = ({ kind }: Step): boolean => kind !== 'stop';

const isEvent = (step: Step): step is Event =>
  step.kind === 'told' || step.kind === 'declined' || step.kind === 'refused';

const opening = (turn: Turn): Step[] => [
  ...(turn.opens ? [configured(turn)] : []),
  tell(turn, { type: 'task_started', model_context_window: turn.thread.config.contextWindow }),
];

/** Source: Codex 0.28.0: the first event of a thread, under the id ''. */
const configured = (turn: Turn): Step => {
  const { config, id } = turn.thread;
  const told = tell(turn, {
    type: 'session_configured',
    session_id: id,
    model: config.model,
    model_provider_id: config.provider.id,
    approval_policy: config.approvalPolicy,
    sandbox_mode: config.sandboxMode,
    cwd: config.cwd,
    history_log_id: 0,
    history_entry_count: 0,
  });
  return { ...told, id: '' };
};

/** The tools, then one answer of the model after another. Does not end by itself: the last event of the turn ends it. */
const samples = (deps: TurnDeps, turn: Turn, memory: Memory): Observable<Step> =>
  defer(() => deps.toolsOf(turn.thread.config)).pipe(
    concatMap((tools) => {
      settle(memory, ...told(deps, turn, memory));
      const warnings = tools.failures.map((message) => tell(turn, { type: 'warning', message }));
      return concat(of(...warnings), answers(deps, { ...turn, tools }, memory));
    }),
    catchError((error: Error) => of(...failed(deps.log, turn, error))),
  );

const answers = (deps: TurnDeps, turn: Turn, memory: Memory): Observable<Step> =>
  defer(() => {
    let next: Sample = { kind: 'sample', attempt: 0, said: null };
    return defer(() => sampleOnce(deps)(turn, settle(memory), next)).pipe(
      tap((step) => {
        remember(memory, step);
        if (step.kind === 'sample') next = step;
      }),
      repeat(),
    );
  });

/** What the model is told before it answers: where it is, at first, and what the user wants. */
const told = ({ userInstructions }: TurnDeps, { op, thread: { config } }: Turn, { past }: Memory) => [
  ...(past.length > 0 ? [] : openingItems(config, userInstructions(config.cwd, config.projectDocMaxBytes))),
  toMessage('user', op.prompt),
];

const failed = (log: Log, turn: Turn, error: Error): Step[] => {
  log('error', 'a turn failed by a fault of ours', { callId: turn.op.callId, stack: error.stack });
  return fail(turn, `internal error: ${error.message}`);
};

const deadline = ({ turnTimeoutMs }: TurnDeps, turn: Turn): Observable<Step> =>
  timer(toTimerMs(turnTimeoutMs)).pipe(
    concatMap((): Step[] => [
      tell(turn, { type: 'error', message: `The turn took longer than ${turnTimeoutMs / 1000} s and was stopped.` }),
      { kind: 'stop' },
    ]),
  );
