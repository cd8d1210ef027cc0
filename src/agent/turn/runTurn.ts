/** One turn of the native engine, from the user's message to its last event. */
import { catchError, concat, defer, merge, type Observable, type OperatorFunction, of } from 'rxjs';
import type { Event } from '../../protocol/codex/events';
import type { TurnOp } from '../../protocol/codex/operations';
import type { Log } from '../../protocol/log';
import type { ResponseItem } from '../../protocol/model/items';
import { type Awaitable, allReady, mapReady, streamWhenReady } from '../../streams/awaitable';
import { startAfterSubscribing } from '../../streams/startAfterSubscribing';
import type { TurnDeps, TurnPorts } from '../sampling/turnDeps';
import { openingItems, renewedEnvironment, renewedInstructions } from '../thread/context';
import { closeAnswer } from '../thread/history';
import { type BegunTurn, endOf, eventOf, isEvent, type TurnStep } from '../thread/steps';
import { toUserMessage } from '../thread/toUserMessage';
import { toolTable } from '../tools/toolTable';
import { reportFault } from '../turns/reportFault';
import { untilStopped } from '../turns/untilStopped';
import { loop } from './loop';

/** A turn whose operation brings input. */
export type InputTurn = BegunTurn & { op: TurnOp };

/**
 * Runs a turn. Emits its events; the last is `task_complete` or `turn_aborted`, after which nothing of the turn is left running.
 * Never errors. Unsubscribing stops the model and every command.
 *   model  -t--z|        stop$ ---x
 *   out    sT--(Uc|)           sT-(a|)   (s task_started, U token_count, c task_complete, a turn_aborted)
 */
export const runTurn =
  (deps: TurnDeps) =>
  (turn: InputTurn, ports: TurnPorts): Observable<Event> =>
    answers(deps, turn, ports).pipe(
      eventsOf(() => [...configured(deps, turn), startedEvent(turn)]),
      untilStopped(ports.stop$, (stop) => endOf(turn, stop)),
    );

/** The first events, then the events among the steps. The steps begin before that, so that a request leaves before the first events are made. */
export const eventsOf = (first: () => readonly Event[]): OperatorFunction<TurnStep, Event> =>
  startAfterSubscribing({ first, isResult: isEvent });

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

/** The event that a turn has begun. */
export const startedEvent = (turn: BegunTurn): Event =>
  eventOf(turn, { type: 'task_started', model_context_window: turn.thread.config.contextWindow });

/** The tools and the messages, then the answers of the model. Does not end by itself: the last event of the turn ends it. */
const answers = (deps: TurnDeps, turn: InputTurn, ports: TurnPorts): Observable<TurnStep> =>
  defer(() => {
    const { thread, op } = turn;
    const { config } = thread;
    const { builtIn, readImage } = thread.workspace;
    const message = toUserMessage(readImage, config.cwd, op.input);
    const begun = mapReady(allReady({ message, before: itemsBefore(turn) }), ({ message, before }) => {
      const history = closeAnswer(thread.history, ...before, message);
      ports.keep(history); // also if the turn is stopped before its tools are there
      return history;
    });
    return streamWhenReady(allReady({ tools: deps.toolsOf(config), begun }), ({ tools: offered, begun }) => {
      const { rows, failures, inUse$ } = offered;
      const tools = toolTable([...builtIn, ...rows]);
      const warnings = failures.map((text) => eventOf(turn, { type: 'warning', message: text }));
      const answered$ = loop(deps, { ...turn, tools, thread: { ...thread, history: begun } }, ports);
      const warned$ = warnings.length === 0 ? answered$ : concat(warnings, answered$);
      return inUse$ === undefined ? warned$ : merge(inUse$, warned$);
    });
  }).pipe(catchError((error: Error) => of(...failedByBug(deps.log, turn, error))));

/** What comes before the user's message: the opening of the conversation, and later what has changed of it. */
const itemsBefore = ({ thread: { settings, config, history, workspace } }: BegunTurn): Awaitable<ResponseItem[]> => {
  const around = { config, writableRoots: workspace.writableRoots, facts: workspace.facts };
  return history.past.length === 0
    ? mapReady(workspace.userInstructions(), (texts) => openingItems(around, texts))
    : [...renewedInstructions(settings, history.past), ...renewedEnvironment(around, history.past)];
};

/** The events of a turn that hit a bug or a limit of this machine, which is logged. */
export const failedByBug = (log: Log, turn: BegunTurn, error: Error): Event[] =>
  endOf(turn, { kind: 'failed', message: reportFault(log, { what: 'a turn failed', callId: turn.op.callId }, error) });
