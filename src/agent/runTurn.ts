/** One turn of the native engine, from the user's message to its last event. */
import { catchError, concat, concatMap, defer, EMPTY, filter, type Observable, of, repeat } from 'rxjs';
import type { Config } from '../config';
import type { Log } from '../log';
import { addPlan, noTurnChanges, type TurnChanges } from '../patch';
import type { Event } from '../protocol/codex';
import type { ResponseItem } from '../protocol/model';
import type { ToolSet } from '../toolServers';
import { toolTable } from '../tools';
import { type PromptHistory, type TurnStop, untilStopped } from '../turns';
import { openingItems, toMessage } from './context';
import { addStep, closeAnswer, type History } from './history';
import { type SampleDeps, sampleOnce } from './sampleOnce';
import { type BegunTurn, endOf, eventOf, isEvent, type Sample, type Turn, type TurnStep } from './steps';

/**
 * @param userInstructions of AGENTS.md files, for a folder and at most so many bytes of a project
 * @param toolsOf emits once what the MCP servers of a configuration offer, and never errors
 * @param turnDiff shows the changes of a turn in a folder as git would; '' where nothing differs
 * @param promptHistory what a new thread reports of Codex's file of prompts
 */
export type TurnDeps = SampleDeps & {
  userInstructions: (cwd: string, maxBytes: number) => string | undefined;
  turnDiff: (cwd: string) => (changes: TurnChanges) => string;
  toolsOf: (config: Config) => Observable<ToolSet>;
  promptHistory: () => PromptHistory;
  log: Log;
};

/** @param keep the history of the thread after each step, from which the next turn goes on */
export type TurnPorts = { stop$: Observable<TurnStop>; keep: (history: History) => void };

/**
 * Runs a turn. Emits its events; the last is `task_complete` or `turn_aborted`, and then nothing of it is left running.
 * Never errors. Unsubscribing stops the model and every command.
 *   model  -t--z|        stop$ ---x
 *   out    sT--(Uc|)           sT-(a|)   (s task_started, U token_count, c task_complete, a turn_aborted)
 */
export const runTurn =
  (deps: TurnDeps) =>
  (turn: BegunTurn, { stop$, keep }: TurnPorts): Observable<Event> =>
    concat(of(...openingEvents(deps, turn)), answers(deps, turn, keep)).pipe(
      filter(isEvent),
      untilStopped(stop$, (stop) => endOf(turn, stop)),
    );

const openingEvents = ({ promptHistory }: TurnDeps, turn: BegunTurn): Event[] => {
  const { config, id } = turn.thread;
  const started = eventOf(turn, { type: 'task_started', model_context_window: config.contextWindow });
  if (!turn.opensThread) return [started];
  const configured = eventOf(turn, {
    type: 'session_configured',
    session_id: id,
    model: config.model,
    model_provider_id: config.provider.id,
    approval_policy: config.approvalPolicy,
    sandbox_mode: config.sandboxMode,
    cwd: config.cwd,
    ...promptHistory(),
  });
  return [configured, started];
};

/** The tools, then one answer of the model after another. Does not end by itself: the last event of the turn ends it. */
const answers = (deps: TurnDeps, turn: BegunTurn, keep: TurnPorts['keep']): Observable<TurnStep> =>
  defer(() => deps.toolsOf(turn.thread.config)).pipe(
    concatMap(({ rows, failures }) => {
      const { history, builtIn } = turn.thread;
      const tools = toolTable([...builtIn, ...rows]);
      const begun = closeAnswer(history, ...messagesOf(deps, turn));
      keep(begun);
      const warnings = failures.map((message) => eventOf(turn, { type: 'warning', message }));
      return concat(of(...warnings), loop(deps, { ...turn, tools, thread: { ...turn.thread, history: begun } }, keep));
    }),
    catchError((error: Error) => of(...failed(deps.log, turn, error))),
  );

/** The messages before the model answers: the environment, at first, and the prompt. */
const messagesOf = ({ userInstructions }: TurnDeps, { op, thread }: BegunTurn): ResponseItem[] => {
  const { config, history } = thread;
  const isNew = history.past.length === 0;
  return [
    ...(isNew ? openingItems(config, userInstructions(config.cwd, config.projectDocMaxBytes)) : []),
    toMessage('user', op.prompt),
  ];
};

/** What one answer leaves to the next; `diff` is the last one that was sent. */
type LoopState = { history: History; sample: Sample; changes: TurnChanges; diff: string };

const FIRST: Sample = { kind: 'sample', attempt: 0, lastMessage: null };

/** One variable holds the state of the loop, because `repeat` begins each answer anew. */
const loop = (deps: TurnDeps, turn: Turn, keep: TurnPorts['keep']): Observable<TurnStep> =>
  defer(() => {
    let state: LoopState = { history: turn.thread.history, sample: FIRST, changes: noTurnChanges, diff: '' };
    return defer(() => {
      state = { ...state, history: closeAnswer(state.history) };
      return sampleOnce(deps)(turn, state.history.past, state.sample);
    }).pipe(
      concatMap((step) => {
        const before = state;
        state = advance(deps, turn, { state, step });
        if (state.history !== before.history) keep(state.history);
        if (step.kind !== 'patched') return of(step);
        return state.diff === before.diff ? EMPTY : of(diffEvent(turn, state));
      }),
      repeat(),
    );
  });

const advance = (
  { turnDiff }: TurnDeps,
  { thread }: Turn,
  { state, step }: { state: LoopState; step: TurnStep },
): LoopState => {
  switch (step.kind) {
    case 'sample':
      return { ...state, sample: step };
    case 'item':
    case 'output':
      return { ...state, history: addStep(state.history, step) };
    case 'patched': {
      const changes = addPlan(state.changes, step.plan);
      return { ...state, changes, diff: turnDiff(thread.config.cwd)(changes) };
    }
    default:
      return state;
  }
};

/** Sent once per change. Source: Codex 0.28.0 sent it after every answer of the model. */
const diffEvent = (turn: Turn, { diff }: LoopState): Event => eventOf(turn, { type: 'turn_diff', unified_diff: diff });

const failed = (log: Log, turn: BegunTurn, error: Error): Event[] => {
  log('error', 'a turn failed because of a bug', { callId: turn.op.callId, stack: error.stack });
  return endOf(turn, { kind: 'failed', message: `internal error: ${error.message}` });
};
