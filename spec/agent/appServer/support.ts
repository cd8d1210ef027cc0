/** Owns what the specs of the app-server engine share: an engine in virtual time, a person, events in short. */
import { asyncScheduler, EMPTY, merge, NEVER, type Observable, type OperatorFunction, of } from 'rxjs';
import type { RunHelpers } from 'rxjs/internal/testing/TestScheduler';
import { type AppServerDeps, appServerAgent } from '../../../src/agent/appServer/appServerAgent';
import { sharedLink } from '../../../src/agent/appServer/codexPlaces';
import type { ServerPlace } from '../../../src/agent/appServer/threads/openThread';
import type { Ask, ReviewResult } from '../../../src/protocol/codex/engine';
import type { Event } from '../../../src/protocol/codex/events';
import { type Op, type ThreadRef, toInput } from '../../../src/protocol/codex/operations';
import type { JsonObject } from '../../../src/protocol/jsonrpc/json';
import { silentLog } from '../../../src/protocol/log';
import type { RpcIncoming, RpcOutgoing } from '../../../src/protocol/rpc/messages';

export const turn = (callId: string, prompt: string, thread: ThreadRef = { start: {} }): Op => ({
  kind: 'turn',
  callId,
  eventId: callId,
  thread,
  input: toInput(prompt),
  askable: true,
});

/** A person who answers each question at once, by what comes next, and the last to all that follow. */
export const personSaying = (...verdicts: ReviewResult[]): Ask => {
  let at = 0;
  return (_, question, then) => {
    const verdict = verdicts[Math.min(at++, verdicts.length - 1)] as ReviewResult;
    return merge(of(question(7)), then({ ...verdict, question: 7 }));
  };
};

/** Nobody answers. */
export const nobody: Ask = (_, question) => merge(of(question(7)), NEVER);

/** An event in a word: its kind, or the type inside. */
export const inShort = (event: Event): string => (event.kind === 'event' ? event.msg.type : event.kind);

export const linkTo = (transport: OperatorFunction<RpcOutgoing, RpcIncoming<JsonObject>>) =>
  sharedLink({ transport, version: '1.2.3' });

/** A place with this server. */
export const placeWith = (
  transport: OperatorFunction<RpcOutgoing, RpcIncoming<JsonObject>>,
  {
    paramsOf = () => ({}),
    readRollout = () => undefined,
    limits = () => ({ config: {} }),
    boundsOf = () => ({}),
    began = () => {},
  }: Partial<ServerPlace> = {},
): ServerPlace => ({ link$: linkTo(transport), paramsOf, readRollout, limits, boundsOf, began });

export const depsOf = (
  transport: OperatorFunction<RpcOutgoing, RpcIncoming<JsonObject>>,
  more: Partial<AppServerDeps & Omit<ServerPlace, 'link$'>> = {},
  place = placeWith(transport, more),
): AppServerDeps => ({
  placeOf: () => of(place),
  promptHistory: () => ({ history_log_id: 0, history_entry_count: 0 }),
  modelWaitMs: 60_000,
  showsRawReasoning: () => false,
  turnTimeoutMs: 3_600_000,
  turnClockMs: () => asyncScheduler.now(),
  log: silentLog,
  ...more,
});

/** Runs calls to the end of virtual time; gives all events. */
export const played = (
  { flush }: RunHelpers,
  op$: Observable<Op>,
  deps: AppServerDeps,
  ask: Ask = () => EMPTY,
): Event[] => {
  const events: Event[] = [];
  appServerAgent(deps)(ask)(merge(op$, NEVER)).subscribe((event) => events.push(event));
  flush();
  return events;
};
