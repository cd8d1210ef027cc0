/** The outputs of calls as messages of MCP: events, questions to the person behind the client, results. */
import type { EventMsg } from '../../protocol/codex/eventMsg';
import { type CodexEvent, type DeltaEvents, isLast } from '../../protocol/codex/events';
import { type JsonObject, toJson } from '../../protocol/jsonrpc/json';
import { INVALID_PARAMS, INVALID_REQUEST, type Outgoing } from '../../protocol/jsonrpc/messages';
import { MISSING_CAPABILITY } from '../../protocol/mcp/mcp';
import type { CallOutput } from '../calls/step';
import type { Face } from '../faces/faceOf';
import { type AskedClient, toElicitation } from '../faces/toElicitation';
import type { Caller, McpCall } from './caller';
import { takesEvents } from './clients';
import { serverMeta } from './methods/method';
import type { Sealer } from './methods/requestState';
import { toQuestionKey } from './readAnswers';
import { type ResultDeps, toCallResult, toWorkingResult } from './toCallResult';

/** Whether `codex/event` is sent; `auto`: to all clients except for clients that drop it. A face of an old release sends it to all. */
export const EVENTS = ['auto', 'codex', 'none'] as const;
/** One of `EVENTS`. */
export type Events = (typeof EVENTS)[number];

type MessageDeps = InputRequiredDeps & ResultDeps & { events: Events };

/** The messages for one output of the calls, in order. */
export const toMessages =
  (deps: MessageDeps) =>
  (output: CallOutput<Caller>): Outgoing[] => {
    switch (output.kind) {
      case 'begun':
      case 'resumed':
      case 'detached':
      case 'client': // a client of MCP declares neither files nor terminals
        return [];
      case 'event':
        return isSent(deps, output) ? [toEvent(deps, output.call, output.event)] : [];
      case 'deltas':
        return !output.isMissed && sendsEvents(deps, output.call) ? toEvents(deps, output.call, output.event) : [];
      case 'question':
        return [toElicitationRequest(deps, output)];
      case 'sampling':
        return [toSamplingRequest(output)];
      case 'withdrawn':
        return toWithdrawals(output);
      case 'suspended':
        return [toInputRequired(deps, output)];
      case 'paused':
        return [toWorkingResult(deps, output.call, output.turn)];
      case 'cancelled':
        return [{ kind: 'noResponse', batch: output.call.caller.batch }];
      case 'finished':
        return [toCallResult(deps, output.call, output.outcome)];
      case 'rejected':
        return [toRejection(output)];
    }
  };

type Output<K> = Extract<CallOutput<Caller>, { kind: K }>;

/** A legacy client still gets the last event of its cancelled turn; a modern one gets nothing more. */
const isSent = (deps: MessageDeps, { call, event, delivery, isFailure }: Output<'event'>): boolean =>
  sendsEvents(deps, call) &&
  !(isFailure && deps.face.failsByError) &&
  (delivery === 'live' ||
    delivery === 'replayed' ||
    (delivery === 'missed' && !call.caller.era.modern && isLast(event)));

const sendsEvents = ({ events, face }: MessageDeps, { caller }: McpCall): boolean =>
  events === 'codex' || (events === 'auto' && (!face.extended || takesEvents(caller.era)));

const toEvent = ({ face }: MessageDeps, { caller }: McpCall, event: CodexEvent): Outgoing => ({
  kind: 'notification',
  method: 'codex/event',
  params: { _meta: face.meta(caller.id, event.threadId), id: event.id, msg: face.msg(event) },
});

const toEvents = ({ face }: MessageDeps, { caller }: McpCall, event: DeltaEvents): Outgoing[] => {
  const { id, threadId, turnId, msgs } = event;
  const about = `{"_meta":${toJson(face.meta(caller.id, threadId))},"id":${toJson(id)},"msg":`;
  return deltaTexts(msgs, (msg) => face.msg({ msg, threadId, turnId })).map(({ head, values, tail }) => ({
    kind: 'notifications',
    method: 'codex/event',
    head: about + head,
    values,
    tail: `${tail}}`,
  }));
};

const toElicitationRequest = ({ face }: MessageDeps, { call, question, event }: Output<'question'>): Outgoing => ({
  kind: 'request',
  id: question,
  method: 'elicitation/create',
  params: { ...toQuestion(face, call.caller.era, event), codex_mcp_tool_call_id: String(call.caller.id) },
});

/** Source: MCP 2025-11-25 client/sampling. */
const toSamplingRequest = ({ event: { question, params } }: Output<'sampling'>): Outgoing => ({
  kind: 'request',
  id: question,
  method: 'sampling/createMessage',
  params,
});

/** A modern client was asked by a response, so there is no request that could be withdrawn. */
const toWithdrawals = ({ call, questions, reason }: Output<'withdrawn'>): Outgoing[] =>
  call.caller.era.modern
    ? []
    : questions.map((requestId) => ({
        kind: 'notification',
        method: 'notifications/cancelled',
        params: { requestId, reason },
      }));

const REJECTIONS = {
  unknown: { code: INVALID_PARAMS, message: 'Invalid params: the call that params.requestState names is over' },
  busy: { code: INVALID_REQUEST, message: 'Invalid Request: this call is being continued already' },
  unaskable: {
    code: MISSING_CAPABILITY,
    message:
      'Missing required client capability: elicitation; a question of this call is open, and this request declares none',
    data: { requiredCapabilities: { elicitation: { form: {} } } },
  },
};

const toRejection = ({ call, reason }: Output<'rejected'>): Outgoing => {
  const { id, batch } = call.caller;
  return { kind: 'response', id, batch, error: REJECTIONS[reason] };
};

type ToShown = (msg: EventMsg) => object;

/** Consecutive messages. The JSON text of each is `head`, one of `values`, `tail`. */
type DeltaTexts = { head: string; values: readonly string[]; tail: string };

const EMPTY_DELTA = '"delta":""';
const WHOLE = { head: '', tail: '' };

/** All messages, in order. Deltas of one message differ only in `delta`, so only this is encoded: a long answer has thousands of deltas. */
export const deltaTexts = (msgs: DeltaEvents['msgs'], toShown: ToShown): DeltaTexts[] => {
  const runs: Run[] = [];
  for (const msg of msgs) {
    const itemId = msg.type === 'agent_message_delta' ? msg.item_id : undefined;
    let run = runs.at(-1);
    if (run === undefined || run.itemId !== itemId) {
      run = {
        itemId,
        values: [],
        ...(itemId === undefined ? WHOLE : frameOf({ ...msg, delta: '' } as Delta, toShown)),
      };
      runs.push(run);
    }
    run.values.push(msg.type === 'agent_message_delta' ? JSON.stringify(msg.delta) : toJson(toShown(msg)));
  }
  return runs;
};

type Delta = Extract<EventMsg, { type: 'agent_message_delta' }>;

/** `itemId`: the message of the deltas; undefined for other events, which arrive whole. */
type Run = DeltaTexts & { values: string[]; itemId: string | undefined };

/** Quotes within a string are escaped, so the text of an empty delta stands where the member is. */
const frameOf = (empty: Delta, toShown: ToShown): Omit<DeltaTexts, 'values'> => {
  const text = toJson(toShown(empty));
  const at = text.indexOf(EMPTY_DELTA) + EMPTY_DELTA.length - 2;
  return { head: text.slice(0, at), tail: text.slice(at + 2) };
};

type InputRequiredDeps = {
  face: Face;
  sealer: Sealer;
  /** When a state that is sealed now expires, in ms of the clock of the sealer. */
  expiresAt: () => number;
};

/** The params of `elicitation/create` as this face shows them. */
export const toQuestion = (face: Face, client: AskedClient, event: CodexEvent): JsonObject =>
  face.question(toElicitation(client, event), event.msg);

/** The response to a request whose call waits for answers. The client calls again with them and with the state. Source: 2026-07-28 basic/patterns/mrtr. */
export const toInputRequired = (
  deps: InputRequiredDeps,
  { call, questions }: Extract<CallOutput<Caller>, { kind: 'suspended' }>,
): Outgoing => {
  const { sealer, expiresAt, face } = deps;
  const { id, batch, digest, era, misread = [] } = call.caller;
  const requests = [...questions].map(
    ([question, event]) =>
      [
        toQuestionKey(question, event.msg),
        { method: 'elicitation/create', params: toQuestion(face, era, event) },
      ] as const,
  );
  const result = {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(requests),
    requestState: sealer.seal({
      callId: call.callId,
      digest,
      keys: requests.map(([key]) => key),
      misread,
      expires: expiresAt(),
    }),
    _meta: serverMeta(face),
  };
  return { kind: 'response', id, batch, result };
};
