/** Lists the calls of a session with absolute times, which exports need. */

import { labelOf } from '../../protocol/jsonrpc/parseLine';
import type { Call, CallOutcome, IndexedMessage, SessionIndex, Side } from '../session/sessionIndex';

/** A call; times are in ms since 1970. */
export type TimedCall = {
  number: number;
  /** The call that a server's request belongs to. */
  parent?: number;
  from: Side;
  method: string;
  label: string;
  outcome: CallOutcome;
  startMs: number;
  /** Undefined if there is no response. */
  endMs?: number;
  request: IndexedMessage;
  response?: IndexedMessage;
};

/** The calls in the order of their requests. */
export const timedCalls = (index: SessionIndex): TimedCall[] => {
  const started = typeof index.meta.started === 'string' ? Date.parse(index.meta.started) : Number.NaN;
  const beganMs = Number.isNaN(started) ? 0 : started;
  return index.calls.map((call, number) => toTimed(index, { call, number, beganMs }));
};

type Numbered = { call: Call; number: number; beganMs: number };

const toTimed = ({ messages, calls }: SessionIndex, { call, number, beganMs }: Numbered): TimedCall => {
  const request = messages[call.request] as IndexedMessage;
  const response = messages[call.response ?? -1];
  const { message } = request;
  const parent = call.from === 'server' ? (request.owner ?? onlyOpen(calls, call.request)) : undefined;
  return {
    number,
    from: call.from,
    method: 'method' in message ? message.method : '',
    label: labelOf(message),
    outcome: call.outcome,
    startMs: beganMs + request.t,
    request,
    ...(parent !== undefined && { parent }),
    ...(response && { response, endMs: beganMs + response.t }),
  };
};

/** On stdio a server's request names no call; if only one call of the client is open, the request belongs to it. */
const onlyOpen = (calls: readonly Call[], at: number): number | undefined => {
  const open = [...calls.keys()].filter((number) => isOpenAt(calls[number] as Call, at));
  return open.length === 1 ? open[0] : undefined;
};

const isOpenAt = ({ from, request, response = Number.POSITIVE_INFINITY }: Call, at: number): boolean =>
  from === 'client' && request < at && at < response;
