/**
 * Owns the calls that are under way: who waits for which, and what each is told.
 * A pure step from state and input to state and messages; it starts nothing and knows no time.
 */
import type { LogRecord } from '../../log';
import { type Event, idKey, isLast, type McpLogLevel, type Outgoing, type RequestId } from '../../protocol';
import { type AttendDeps, type Attended, attended, progress, toEvent, withdraw } from './attended';
import type { Beat } from './beats';
import { failure, finish, resultOf } from './callResult';
import type { CallCommand } from './command';
import { hold } from './held';
import { ask, resume } from './inputRequired';
import { isGrave, toLogNote } from './logNotes';
import { keyOf } from './method';
import { toProgress } from './progress';
import { acknowledge, closing } from './subscriptions';

/** What the calls react to, besides commands. */
export type Input = CallCommand | { kind: 'event'; event: Event } | { kind: 'record'; record: LogRecord } | Beat;

export type Attending = {
  calls: Map<string, Attended>;
  subscriptions: Map<string, RequestId>;
  logLevel?: McpLogLevel;
  out: Outgoing[];
};

/** No call, no subscription. */
export const nobody = (): Attending => ({ calls: new Map(), subscriptions: new Map(), out: [] });

/**
 * One step. The maps of the state are the same from step to step; `out` is what this step has to say.
 * Every request that began is ended exactly once: by a result, by `input_required`, by silence after a cancel.
 */
export const attend =
  (deps: AttendDeps) =>
  (state: Attending, input: Input): Attending => {
    const { calls, subscriptions } = state;
    switch (input.kind) {
      case 'begin':
        calls.set(input.call.callId, attended(input.call, input.op));
        return say(state, []);
      case 'event':
        return say(state, hear(deps, calls, input.event));
      case 'resume':
        return say(
          state,
          resume(deps, calls.get(input.call.callId), input, (event) => hear(deps, calls, event)),
        );
      case 'answered':
        for (const each of calls.values()) each.questions.delete(input.question);
        return say(state, []);
      case 'cancel':
        return say(state, cancel(state, keyOf(input.requestId)));
      case 'level':
        state.logLevel = input.level;
        return say(state, [input.response]);
      case 'record':
        return say(state, hearsOf(state, input.record) ? [toLogNote(input.record)] : []);
      case 'news':
        return say(
          state,
          [...calls.values()].flatMap((each) => progress(each, each.news.splice(0))),
        );
      case 'tick':
        return say(
          state,
          [...calls.values()].flatMap((each) => progress(each, [each.doing])),
        );
      case 'listen':
        subscriptions.set(idKey(input.id), input.id);
        return say(state, [acknowledge(input.id)]);
      case 'end':
        return say(state, [
          ...[...calls.values()].flatMap((each) =>
            finish(deps, each, failure('', 'The turn was stopped: the input of the server ended.')),
          ),
          ...[...subscriptions.values()].map((id) => closing(deps.face, id)),
        ]);
    }
  };

/** A legacy client hears what its level lets through, a modern one what belongs to a call that asked for it. */
const hearsOf = ({ calls, logLevel }: Attending, record: LogRecord): boolean =>
  isGrave(record, logLevel) || isGrave(record, calls.get(String(record.fields?.callId))?.call.era.logLevel);

const say = (state: Attending, out: Outgoing[]): Attending => {
  state.out = out;
  return state;
};

const hear = (deps: AttendDeps, calls: Map<string, Attended>, event: Event): Outgoing[] => {
  const each = calls.get(event.callId);
  if (!each) return [];
  if (each.cancelled) return afterCancel(deps, calls, each, event);
  if (!each.listening) {
    hold(calls, each, event);
    return [];
  }
  if (isLast(event)) calls.delete(event.callId);
  return tell(deps, each, event);
};

/** A legacy client still hears that its turn was aborted; a modern one hears nothing more. */
const afterCancel = (deps: AttendDeps, calls: Map<string, Attended>, each: Attended, event: Event): Outgoing[] => {
  if (!isLast(event)) return [];
  calls.delete(event.callId);
  return event.kind === 'told' && !each.call.era.modern ? toEvent(deps, each, event) : [];
};

const tell = (deps: AttendDeps, each: Attended, event: Event): Outgoing[] => {
  if (event.kind === 'refused') return finish(deps, each, failure('', event.message));
  if (event.kind === 'declined') return decline(each, event);
  const { msg, question } = event;
  if (msg.type === 'error') each.error = msg.message;
  const out = toEvent(deps, each, event);
  const news = toProgress(msg);
  if (news !== undefined) {
    each.doing = news;
    each.news.push(news);
  }
  if (question !== undefined) out.push(...ask(deps, each, event, question));
  if (isLast(event)) out.push(...finish(deps, each, resultOf(each, event)));
  return out;
};

const cancel = ({ calls, subscriptions }: Attending, key: string | undefined): Outgoing[] => {
  if (key === undefined || subscriptions.delete(key)) return [];
  return [...calls.values()]
    .filter((each) => each.listening && !each.cancelled && idKey(each.call.id) === key)
    .flatMap((each) => {
      each.cancelled = true;
      const { batch } = each.call;
      return [
        ...withdraw(each, [...each.questions.keys()], 'the call was cancelled'),
        { kind: 'silence', batch } as const,
      ];
    });
};

const decline = (each: Attended, { what, reason, question }: Extract<Event, { kind: 'declined' }>): Outgoing[] => {
  each.declined.push(`${what}: ${reason}`);
  return question === undefined ? [] : withdraw(each, [question], reason);
};
