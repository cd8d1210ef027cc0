/** One turn of the native engine, from the user's message to its last event: answer after answer of the model, and the input that joins in. */
import {
  catchError,
  concat,
  concatMap,
  defer,
  ignoreElements,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  of,
  repeat,
  startWith,
  tap,
} from 'rxjs';
import type { Event } from '../../protocol/codex/events';
import type { TurnOp } from '../../protocol/codex/operations';
import { RpcError, toErrorObject } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import type { ResponseItem } from '../../protocol/model/items';
import type { Config } from '../../settings/config';
import { type Awaitable, allReady, mapReady, streamWhenReady, toStream } from '../../streams/awaitable';
import { mapMulti } from '../../streams/gather';
import { startAfterSubscribing } from '../../streams/startAfterSubscribing';
import { budgetOf, tokensOf } from '../compaction/budget';
import { compact } from '../compaction/compact';
import type { AttemptDeps } from '../sampling/attempts';
import { sampleOnce } from '../sampling/sampleOnce';
import { openingItems, renewedEnvironment, renewedInstructions } from '../thread/context';
import { closeAnswer, type History, toUserMessage } from '../thread/history';
import { type BegunTurn, endOf, eventOf, isEvent, type Turn, type TurnStep } from '../thread/steps';
import type { ToolSet } from '../toolServers/toolServer';
import { toolTable } from '../tools/tool';
import { askInTurn } from '../turns/askInTurn';
import type { InputOffer, TurnPorts as QueuePorts } from '../turns/queueTurns';
import { reportFault } from '../turns/rejection';
import { untilStopped } from '../turns/turnEvents';
import type { PromptHistory } from '../wiring/disk';
import {
  advance,
  initialState,
  isTooLong,
  type LoopState,
  visibleOf,
  type WaitingInput,
  whyNotAsked,
  withInputs,
  withoutOldOutputs,
} from './loopState';

/** What a turn of the native engine needs from its surroundings. */
export type TurnDeps = AttemptDeps & {
  /** What the MCP servers of a configuration offer; never errors. */
  toolsOf: (config: Config) => Awaitable<ToolSet>;
  /** What a new thread reports of Codex's file of prompts. */
  promptHistory: () => PromptHistory;
  log: Log;
};

/** How a turn is connected to the queue of its thread, and where its conversation is kept. */
export type TurnPorts = QueuePorts & {
  /** Receives the history of the thread after each step; the next turn starts from the last one. */
  keep: (history: History) => void;
};

/** A turn whose operation brings input. */
export type InputTurn = BegunTurn & { op: TurnOp };

/**
 * Runs a turn: the messages and the tools first, then the answers of the model. Emits its events; the last is `task_complete` or `turn_aborted`,
 * after which nothing of the turn is left running. Never errors. Unsubscribing stops the model and every command.
 *   model  -t--z|        stop$ ---x
 *   out    sT--(Uc|)           sT-(a|)   (s task_started, U token_count, c task_complete, a turn_aborted)
 */
export const runTurn = (deps: TurnDeps, turn: InputTurn, ports: TurnPorts): Observable<Event> =>
  defer(() => {
    const { thread, op } = turn;
    const { builtIn, readImage } = thread.workspace;
    const message = toUserMessage(readImage, thread.config.cwd, op.input);
    const history = mapReady(allReady({ message, before: itemsBefore(turn) }), ({ message, before }) => {
      const begun = closeAnswer(thread.history, ...before, message);
      ports.keep(begun); // also if the turn is stopped before its tools are there
      return begun;
    });
    return streamWhenReady(allReady({ tools: deps.toolsOf(thread.config), history }), ({ tools: offered, history }) => {
      const { rows, failures, inUse$ } = offered;
      const tools = toolTable([...builtIn, ...rows]);
      const warnings = failures.map((text) => eventOf(turn, { type: 'warning', message: text }));
      const answers$ = answers(deps, { ...turn, tools, thread: { ...thread, history } }, ports);
      const warned$ = warnings.length === 0 ? answers$ : concat(warnings, answers$);
      return inUse$ === undefined ? warned$ : merge(inUse$, warned$);
    });
  }).pipe(toTurnEvents(deps, turn, ports.stop$));

/** What comes before the user's message: the opening of the conversation, and later what has changed of it. */
const itemsBefore = ({ thread: { settings, config, history, workspace } }: BegunTurn): Awaitable<ResponseItem[]> => {
  const around = { config, writableRoots: workspace.writableRoots, facts: workspace.facts };
  return history.past.length === 0
    ? mapReady(workspace.userInstructions(), (texts) => openingItems(around, texts))
    : [...renewedInstructions(settings, history.past), ...renewedEnvironment(around, history.past)];
};

/**
 * Asks the model until it asks for nothing more and no input is waiting; then emits the end of the turn, but does not complete. Input that
 * has come in the meantime goes into the next request, and is `joined`; the history is kept after each step.
 *   input$  --i-------          (i an input)
 *   model   -c--z| -m-z|        (c a call, z completed, m a message)
 *   out     -BE-J--M--(c…)      (B, E the command, J joined, M the message, c task_complete)
 * One variable holds the state, because `repeat` subscribes to each answer from the start.
 */
const answers = (turnDeps: TurnDeps, turn: Turn, { input$, keep }: TurnPorts): Observable<TurnStep> =>
  defer(() => {
    const deps = { ...turnDeps, ask: askInTurn(turnDeps.ask) };
    let state = initialState(turn);
    const inputs$ = input$.pipe(
      concatMap((offer) => receive(turn, offer)), // in order, even if one has to be read from disk first
      tap((change) => {
        state = change(state);
      }),
      ignoreElements(),
    );
    const answers$ = defer(() => {
      const { inputs, added } = state;
      const over = whyNotAsked(turn, state);
      state = withoutOldOutputs(withInputs(state), budgetOf(turn.thread.config));
      if (inputs.length + added.length > 0) keep(state.history);
      if (over !== undefined) return of(...endOf(turn, over));
      const answer$ = nextAnswer(deps, turn, () => state);
      return inputs.length === 0 ? answer$ : answer$.pipe(startWith(...inputs.map((input) => joined(turn, input))));
    }).pipe(
      mapMulti<TurnStep, TurnStep>((step, emit) => {
        const before = state;
        state = advance(turn, { state, step });
        if (state.history !== before.history) keep(state.history);
        for (const visible of visibleOf(turn, { step, before, state })) emit(visible);
      }),
      repeat(),
    );
    return merge(inputs$, answers$);
  });

/** One answer of the model. A conversation that is too long is replaced with its summary first; if the model refused it, the estimate was too low. */
const nextAnswer = (deps: TurnDeps, turn: Turn, current: () => LoopState): Observable<TurnStep> => {
  const state = current();
  const budget = budgetOf(turn.thread.config);
  if (!isTooLong(state, budget)) return sampleOnce(deps, turn, state);
  const { past } = state.history;
  const maxTokens = state.compaction === 'due' ? Math.min(budget.limitTokens, tokensOf(past) / 2) : budget.limitTokens;
  return concat(
    compact(deps, turn, { past, maxTokens }),
    defer(() => sampleOnce(deps, turn, current())),
  );
};

/** How an offer changes the inputs that wait for the next request. */
const receive = (
  { thread: { config, workspace } }: Turn,
  offer: InputOffer,
): Observable<(state: LoopState) => LoopState> => {
  if (offer.kind === 'withdrawn') {
    const { callId } = offer;
    return of((state) => ({ ...state, inputs: state.inputs.filter(({ op }) => op.callId !== callId) }));
  }
  const { op } = offer;
  return toStream(toUserMessage(workspace.readImage, config.cwd, op.input)).pipe(
    map((message) => (state) => ({ ...state, inputs: [...state.inputs, { op, message }] })),
  );
};

const joined = ({ op, thread }: Turn, { op: { callId } }: WaitingInput): TurnStep => ({
  kind: 'joined',
  callId,
  threadId: thread.id,
  turnCallId: op.callId,
});

/**
 * The events of a turn: its first ones, then those among its steps. It ends with its last event, at a stop, or with a fault that is logged. The steps
 * are subscribed before the first events are made, so that a request leaves before them.
 */
export const toTurnEvents = (
  { promptHistory, log }: Pick<TurnDeps, 'promptHistory' | 'log'>,
  turn: BegunTurn,
  stop$: TurnPorts['stop$'],
): OperatorFunction<TurnStep, Event> => {
  const fail = (error: Error): Event[] => {
    if (error instanceof RpcError) return failedByRpc(turn, error);
    const message = reportFault(log, { what: 'a turn failed', callId: turn.op.callId }, error);
    return endOf(turn, { kind: 'failed', message });
  };
  return (step$) =>
    step$.pipe(
      catchError((error: Error) => of(...fail(error))),
      startAfterSubscribing({
        first: () => [...configured({ promptHistory }, turn), startedEvent(turn)],
        isResult: isEvent,
      }),
      untilStopped(stop$, (stop) => endOf(turn, stop)),
    );
};

const failedByRpc = (turn: BegunTurn, error: RpcError): Event[] =>
  endOf(turn, { kind: 'failed', message: error.message }).map((event) =>
    event.msg.type === 'error' ? { ...event, rpcError: toErrorObject(error) } : event,
  );

/** The event of a new thread; nothing for any other. */
export const configured = ({ promptHistory }: Pick<TurnDeps, 'promptHistory'>, turn: BegunTurn): Event[] => {
  const { config, id } = turn.thread;
  if (!turn.opensThread) return [];
  const servers = Object.keys(config.mcpServers);
  const event = eventOf(turn, {
    type: 'session_configured',
    session_id: id,
    model: config.model,
    model_provider_id: config.provider.id,
    approval_policy: config.approvalPolicy,
    sandbox_mode: config.sandboxMode,
    cwd: config.cwd,
    ...(servers.length > 0 && { mcp_servers: servers }),
    ...promptHistory(),
  });
  return [event];
};

const startedEvent = (turn: BegunTurn): Event =>
  eventOf(turn, { type: 'task_started', model_context_window: turn.thread.config.contextWindow });
