/** Owns one call that is under way, and the messages about it that are no answer. */
import type { Event, JsonObject, Outgoing, Told, TurnOp } from '../../protocol';
import type { Call } from './command';
import type { Face } from './faces';
import type { Sealer } from './requestState';

/**
 * `listening`: a request waits for this call. `held`: events nobody listened to yet; `over` when the last is among them. `questions`: open ones with their
 * params. `news`: not told yet; `doing`: the last of them. `declined`: what was not done, and why.
 */
export type Attended = {
  call: Call;
  listening: boolean;
  cancelled: boolean;
  held: Event[];
  over: boolean;
  questions: Map<number, JsonObject>;
  progress: number;
  doing: string;
  news: string[];
  error?: string;
  declined: string[];
};

export type AttendDeps = { face: Face; events: boolean; sealer: Sealer; expiresAt: () => number };

/** A call at its beginning. */
export const attended = (call: Call, op: TurnOp): Attended => ({
  call,
  listening: true,
  cancelled: false,
  held: [],
  over: false,
  questions: new Map(),
  progress: 0,
  doing: 'start' in op.thread ? 'starting' : 'waiting for the thread',
  news: [],
  declined: [],
});

/** The event as a notification, where events are wanted. */
export const toEvent = ({ events, face }: AttendDeps, { call }: Attended, told: Told): Outgoing[] =>
  events
    ? [
        {
          kind: 'notification',
          method: 'codex/event',
          params: { _meta: face.meta(call.id, told.threadId), id: told.id, msg: face.msg(told) },
        },
      ]
    : [];

/** One beat each of these, for a client that gave a token and still waits. */
export const progress = (each: Attended, messages: string[]): Outgoing[] => {
  const { token } = each.call;
  if (token === undefined || !each.listening || each.cancelled) return [];
  return messages.map((message) => {
    each.progress += 1;
    return {
      kind: 'notification',
      method: 'notifications/progress',
      params: { progressToken: token, progress: each.progress, message },
    };
  });
};

/** Takes open questions back; a modern client was asked by an answer, which needs no taking back. */
export const withdraw = (each: Attended, questions: number[], reason: string): Outgoing[] => {
  const open = questions.filter((question) => each.questions.delete(question));
  if (each.call.era.modern) return [];
  return open.map((requestId) => ({
    kind: 'notification',
    method: 'notifications/cancelled',
    params: { requestId, reason },
  }));
};
