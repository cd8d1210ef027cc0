/** The bounds of a turn: how many tokens, answers of the model and commands it may take. What a turn has spent is counted from its events. */
import { defer, merge, type Observable, Subject } from 'rxjs';
import type { EventMsg } from '../../protocol/codex/eventMsg';
import type { Event } from '../../protocol/codex/events';
import { addUsageOf, type Usage } from '../../protocol/codex/usage';
import type { Bounds } from '../../settings/bounds';
import { gather } from '../../streams/gather';
import type { TurnStop } from './turnEvents';

type Spent = {
  usage: Usage;
  /** How often the model has answered. */
  rounds: number;
  /** How many commands have begun. */
  commands: number;
};

/** Before the first event of a turn. */
export const NOTHING_SPENT: Spent = { usage: {}, rounds: 0, commands: 0 };

const spend = (spent: Spent, msg: EventMsg): Spent => {
  if (msg.type === 'exec_command_begin') return { ...spent, commands: spent.commands + 1 };
  const usage = addUsageOf(spent.usage, msg);
  if (usage === spent.usage) return spent;
  return { ...spent, usage, rounds: spent.rounds + (usage.turn === spent.usage.turn ? 0 : 1) };
};

/** A turn that has reached a bound. */
type Over = Extract<TurnStop, { kind: 'expired' }>;

/** Why the model may not be asked again; undefined if it may. The text says what to do instead. */
export const whyOver = (bounds: Bounds, spent: Spent): Over | undefined => {
  const { turn, thread } = spent.usage;
  const [ofTurn, ofThread] = [turn?.total_tokens ?? 0, thread?.total_tokens ?? 0];
  const { maxTokensPerThread: perThread = Infinity, maxTokensPerTurn: perTurn = Infinity } = bounds;
  const { maxRoundsPerTurn: rounds = Infinity } = bounds;
  const over = (bound: Over['bound'], why: string, remedy = NEW_TURN): Over => ({
    kind: 'expired',
    bound,
    message: stopText(spent, why, remedy),
  });
  if (ofThread >= perThread)
    return over('tokens', `the thread has used ${ofThread} tokens; max_tokens_per_thread is ${perThread}`, NEW_THREAD);
  if (ofTurn >= perTurn) return over('tokens', `the turn has used ${ofTurn} tokens; max_tokens_per_turn is ${perTurn}`);
  if (spent.rounds >= rounds)
    return over('requests', `the model has answered ${spent.rounds} times; max_rounds_per_turn is ${rounds}`);
  return undefined;
};

const NEW_TURN = 'Go on with codex-reply, which begins a new turn';
const NEW_THREAD = 'Start a new thread with the tool codex';

const stopText = ({ usage, rounds, commands }: Spent, why: string, remedy: string): string =>
  `The turn was stopped: ${why}. It used ${usage.turn?.total_tokens ?? 0} tokens in ${rounds} answers of the model, and ran ${commands} commands. ${remedy}, or raise the bound on the server.`;

/** What is counted of a turn, and `over`, if it may not go on: why. */
type Meter = { spent: Spent; over?: Over };

/** A turn that is over its bounds may still end by itself: only an event that shows more work stops it. */
const WORK =
  /^(?:agent_|exec_command_begin|exec_approval|apply_patch_approval|patch_apply_begin|mcp_tool_call_begin|web_search_begin)/;

const goesOn = (event: Event): boolean =>
  event.kind === 'deltas' || event.kind === 'sampling' || (event.kind === 'event' && WORK.test(event.msg.type));

/** The meter after an event, and why the turn is stopped at this event, if it is. */
const measure = (bounds: Bounds, meter: Meter, event: Event): { meter: Meter; stop?: Over } => {
  if (meter.over !== undefined && goesOn(event)) return { meter, stop: meter.over };
  if (event.kind !== 'event') return { meter };
  const spent = spend(meter.spent, event.msg);
  if (spent === meter.spent) return { meter };
  const { maxCommandsPerTurn: commands = Infinity } = bounds;
  const next = { spent, over: whyOver(bounds, spent) };
  if (spent.commands <= commands) return { meter: next };
  const before = { ...spent, commands };
  return { meter: next, stop: commandsOver(before, commands) };
};

const commandsOver = (spent: Spent, commands: number): Over => ({
  kind: 'expired',
  bound: 'requests',
  message: stopText(spent, `max_commands_per_turn is ${commands}`, NEW_TURN),
});

type BoundedTurn = {
  /** Absent if the engine knows none. */
  bounds: Bounds | undefined;
  /** What the thread had used before; absent if that is not known. */
  before: Usage['thread'];
  stop$: Observable<TurnStop>;
  /** Receives what the thread has used. */
  used: (thread: Usage['thread']) => void;
};

/**
 * Runs a turn, and stops it once it goes on beyond its bounds. Emits its events.
 *   run    s-U-m-B       (U a count that reaches a bound, m the turn goes on)
 *   stop$  ----x         (x what `run` gets)
 */
export const withinBounds = (
  { bounds = {}, before, stop$, used }: BoundedTurn,
  run: (stop$: Observable<TurnStop>) => Observable<Event>,
): Observable<Event> =>
  defer(() => {
    const over$ = new Subject<TurnStop>(); // the wire from the events of the turn to its stop
    return run(merge(stop$, over$)).pipe(
      gather<Event, Event>(() => {
        let meter: Meter | undefined = { spent: { ...NOTHING_SPENT, usage: { thread: before } } }; // undefined once it is stopped
        return {
          next: (event, emit) => {
            emit(event);
            if (meter === undefined) return;
            const measured = measure(bounds, meter, event);
            meter = measured.stop === undefined ? measured.meter : undefined;
            used(measured.meter.spent.usage.thread);
            if (measured.stop !== undefined) over$.next(measured.stop);
          },
        };
      }),
    );
  });
