/**
 * Owns the calls that are under way: who waits for which, what has been asked, and what each is told.
 * A pure step from state and input to state and messages; it starts nothing and knows no time.
 */

import type { LogRecord } from '../../log';
import {
  type CallToolResult,
  type Event,
  INVALID_PARAMS,
  INVALID_REQUEST,
  idKey,
  isLast,
  type JsonObject,
  type McpLogLevel,
  META_SUBSCRIPTION,
  type Outgoing,
  type RequestId,
  type Told,
  type TurnOp,
} from '../../protocol';
import type { Call, Command } from './command';
import { toElicitation } from './elicitation';
import type { Face } from './faces';
import { isGrave, toLogNote } from './logNotes';
import { keyOf, serverMeta, toQuestionKey } from './methods';
import { toProgress } from './progress';
import type { Sealer } from './requestState';

/** What the calls react to, besides commands. */
export type Input =
  | Exclude<Command, { kind: 'response' }>
  | { kind: 'event'; event: Event }
  | { kind: 'record'; record: LogRecord }
  | { kind: 'tick' };

/** `listening`: a request waits for this call. `held`: events nobody listened to yet. `declined`: what was not done, and why. */
type Attended = {
  call: Call;
  listening: boolean;
  cancelled: boolean;
  held: Event[];
  questions: Map<number, JsonObject>;
  progress: number;
  doing: string;
  error?: string;
  declined: string[];
};

export type Attending = {
  calls: Map<string, Attended>;
  subscriptions: Map<string, RequestId>;
  logLevel?: McpLogLevel;
  out: Outgoing[];
};

export type AttendDeps = { face: Face; events: boolean; sealer: Sealer; expiresAt: () => number };

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
        return say(state, resume(deps, calls, input));
      case 'answered':
        for (const each of calls.values()) each.questions.delete(input.question);
        return say(state, []);
      case 'cancel':
        return say(state, cancel(state, keyOf(input.requestId)));
      case 'level':
        return { ...state, logLevel: input.level, out: [input.response] };
      case 'record':
        return say(state, hearsOf(state, input.record) ? [toLogNote(input.record)] : []);
      case 'tick':
        return say(
          state,
          [...calls.values()].flatMap((each) => progress(each, each.doing)),
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

const say = (state: Attending, out: Outgoing[]): Attending => ({ ...state, out });

const attended = (call: Call, op: TurnOp): Attended => ({
  call,
  listening: true,
  cancelled: false,
  held: [],
  questions: new Map(),
  progress: 0,
  doing: 'start' in op.thread ? 'starting' : 'waiting for the thread',
  declined: [],
});

const hear = (deps: AttendDeps, calls: Map<string, Attended>, event: Event): Outgoing[] => {
  const each = calls.get(event.callId);
  if (!each) return [];
  if (each.cancelled) return afterCancel(deps, calls, each, event);
  if (!each.listening) {
    each.held.push(event);
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
  const { msg } = event;
  if (msg.type === 'error') each.error = msg.message;
  const news = toProgress(msg);
  if (news !== undefined) each.doing = news;
  return [
    ...toEvent(deps, each, event),
    ...(news === undefined ? [] : progress(each, news)),
    ...(event.question === undefined ? [] : ask(deps, each, event, event.question)),
    ...(isLast(event) ? finish(deps, each, resultOf(each, event)) : []),
  ];
};

const toEvent = ({ events, face }: AttendDeps, { call }: Attended, told: Told): Outgoing[] =>
  events
    ? [
        {
          kind: 'notification',
          method: 'codex/event',
          params: { _meta: face.meta(call.id, told.threadId), id: told.id, msg: face.msg(told) },
        },
      ]
    : [];

const progress = (each: Attended, message: string): Outgoing[] => {
  const { token } = each.call;
  if (token === undefined || !each.listening || each.cancelled) return [];
  each.progress += 1;
  return [
    {
      kind: 'notification',
      method: 'notifications/progress',
      params: { progressToken: token, progress: each.progress, message },
    },
  ];
};

const ask = (deps: AttendDeps, each: Attended, told: Told, question: number): Outgoing[] => {
  const params = toElicitation(told, each.call);
  each.questions.set(question, params);
  return each.call.era.modern
    ? requireInput(deps, each)
    : [{ kind: 'request', id: question, method: 'elicitation/create', params }];
};

/** Ends the waiting request with what must be answered first; the turn itself waits on. */
const requireInput = ({ sealer, expiresAt, face }: AttendDeps, each: Attended): Outgoing[] => {
  const { callId, digest, id, batch } = each.call;
  each.listening = false;
  const requests = [...each.questions].map(([question, params]) => [
    toQuestionKey(question),
    { method: 'elicitation/create', params },
  ]);
  const result = {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(requests),
    requestState: sealer.seal({ callId, digest, expires: expiresAt() }),
    _meta: serverMeta(face),
  };
  return [{ kind: 'response', id, batch, result }];
};

const resume = (
  deps: AttendDeps,
  calls: Map<string, Attended>,
  { call, verdicts }: Extract<Input, { kind: 'resume' }>,
): Outgoing[] => {
  const each = calls.get(call.callId);
  if (!each) return [refusal(call, INVALID_PARAMS, 'Invalid params: the call that params.requestState names is over')];
  if (each.listening) return [refusal(call, INVALID_REQUEST, 'Invalid Request: this call is being continued already')];
  each.call = { ...each.call, ...call };
  for (const question of verdicts.keys()) each.questions.delete(question);
  if (each.questions.size > 0) return requireInput(deps, each);
  each.listening = true;
  return each.held.splice(0).flatMap((event) => hear(deps, calls, event));
};

const refusal = ({ id, batch }: Omit<Call, 'tool'>, code: number, message: string): Outgoing => ({
  kind: 'response',
  id,
  batch,
  error: { code, message },
});

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

/** Takes open questions back; a modern client was asked by an answer, which needs no taking back. */
const withdraw = (each: Attended, questions: number[], reason: string): Outgoing[] => {
  const open = questions.filter((question) => each.questions.delete(question));
  if (each.call.era.modern) return [];
  return open.map((requestId) => ({
    kind: 'notification',
    method: 'notifications/cancelled',
    params: { requestId, reason },
  }));
};

const decline = (each: Attended, { what, reason, question }: Extract<Event, { kind: 'declined' }>): Outgoing[] => {
  each.declined.push(`${what}: ${reason}`);
  return question === undefined ? [] : withdraw(each, [question], reason);
};

/** What a call comes to. `threadId` is '' when no thread was begun. */
type Result = { threadId: string; text: string; failed: boolean };

const failure = (threadId: string, text: string): Result => ({ threadId, text, failed: true });

const resultOf = ({ error, declined }: Attended, { threadId, msg }: Told): Result => {
  if (error !== undefined) return failure(threadId, error);
  if (msg.type === 'turn_aborted') return failure(threadId, ['The turn was stopped.', ...declined].join('\n'));
  const said = (msg.type === 'task_complete' && msg.last_agent_message) || '';
  const notes = declined.map((note) => `Not done: ${note}`);
  return { threadId, text: [...(said === '' ? [] : [said]), ...notes].join('\n\n'), failed: false };
};

const finish = ({ face }: AttendDeps, each: Attended, { threadId, text, failed }: Result): Outgoing[] => {
  if (!each.listening || each.cancelled) return [];
  const { id, batch, era } = each.call;
  const shown = failed && threadId !== '' && face.structured ? `${text}\n\nthreadId: ${threadId}` : text;
  const result: CallToolResult = {
    content: [{ type: 'text', text: shown }],
    ...(face.structured && threadId !== '' && { structuredContent: { threadId, content: text } }),
    ...(failed && { isError: true }),
  };
  const whole = era.modern ? { resultType: 'complete', ...result, _meta: serverMeta(face) } : result;
  return [
    ...withdraw(each, [...each.questions.keys()], 'the call is over'),
    { kind: 'response', id, batch, result: whole },
  ];
};

/** Nothing this server lists ever changes, so nothing is agreed to; the stream stays open all the same. */
const acknowledge = (id: RequestId): Outgoing => ({
  kind: 'notification',
  method: 'notifications/subscriptions/acknowledged',
  params: { notifications: {}, _meta: { [META_SUBSCRIPTION]: id } },
});

const closing = (face: Face, id: RequestId): Outgoing => ({
  kind: 'response',
  id,
  result: { resultType: 'complete', _meta: { ...serverMeta(face), [META_SUBSCRIPTION]: id } },
});
