/** Forks a session: plays its client up to a line (`sessionUpTo`), then a live client takes over (`forkLine`). */
import type { ServerEvent } from '../../io/serverProcess/serverProcess';
import { toJson } from '../../protocol/jsonrpc/json';
import { idKey } from '../../protocol/jsonrpc/messages';
import { labelOf, parseLine } from '../../protocol/jsonrpc/parseLine';
import type { Traffic } from '../../streams/connectPeers';
import type { LaneResult } from '../diff/compare';
import { type Session, TapeError } from '../format/tape';
import type { SessionIndex } from '../session/sessionIndex';
import { toSessionIndex } from '../session/toSessionIndex';

/** What the played client does, and then the live client. */
export type ForkItem =
  /** A line for the server. */
  | { kind: 'line'; line: string }
  /** A line for the live client, which the server does not see. */
  | { kind: 'answer'; line: string }
  /** The live client sent a line that the server does not need. */
  | { kind: 'ignored' }
  /** The server differs from the tape, so the live client does not take over. */
  | { kind: 'differs'; results: readonly LaneResult[] }
  /** The live client takes over; `now` is what was played. */
  | { kind: 'live'; results: readonly LaneResult[]; now: Session }
  | { kind: 'end' };

/** A line for the live client, a remark, the comparison of the beginning, or how the server ended. */
export type ForkOutput =
  | { kind: 'line'; line: string }
  | { kind: 'log'; line: string }
  | { kind: 'compared'; results: readonly LaneResult[]; handedOver: boolean }
  | { kind: 'ended'; trouble: string; exitCode?: number };

/** The state of a fork. */
export type Fork =
  | { phase: 'playing' }
  /** `openIds`: requests of the live client without a response. */
  | { phase: 'live'; openIds: ReadonlySet<string> };

/** A fork before its start. */
export const IDLE_FORK: Fork = { phase: 'playing' };

/** The new state, and its output. */
export type ForkStep = { state: Fork; output: readonly ForkOutput[] };

/** The state after one item of either side. Until the fork is live, only what the server logs passes. */
export const forkLine = (state: Fork, { from, item }: Traffic<ForkItem, ServerEvent>): ForkStep => {
  if (from === 'far') return receive(state, item);
  switch (item.kind) {
    case 'differs':
      return { state, output: [{ kind: 'compared', results: item.results, handedOver: false }] };
    case 'live': {
      const output: ForkOutput[] = [{ kind: 'compared', results: item.results, handedOver: true }];
      const requests = openRequests(toSessionIndex(item.now)).map((line): ForkOutput => ({ kind: 'line', line }));
      return { state: { phase: 'live', openIds: new Set() }, output: [...output, ...requests] };
    }
    case 'answer':
      return { state, output: [{ kind: 'line', line: item.line }] };
    case 'line':
      return { state: withRequests(state, item.line), output: [] };
    default:
      return { state, output: [] };
  }
};

const receive = (state: Fork, event: ServerEvent): ForkStep => {
  if (event.kind !== 'line') return { state, output: [event] };
  if (state.phase === 'playing') return { state, output: [] };
  const [message] = parseLine(event.line).messages;
  if (message?.kind !== 'response' || message.id === null) return { state, output: [event] };
  const key = idKey(message.id);
  if (!state.openIds.has(key)) return { state, output: [] }; // it responds to the played client
  return { state: { ...state, openIds: new Set([...state.openIds].filter((id) => id !== key)) }, output: [event] };
};

const withRequests = (state: Fork, line: string): Fork => {
  if (state.phase === 'playing') return state;
  const keys = parseLine(line).messages.flatMap((message) => (message.kind === 'request' ? [idKey(message.id)] : []));
  return keys.length === 0 ? state : { ...state, openIds: new Set([...state.openIds, ...keys]) };
};

/** Requests of the server that the played client did not answer, so the live client has to. */
const openRequests = ({ calls, messages, entries }: SessionIndex): string[] =>
  calls
    .filter(({ from, response }) => from === 'server' && response === undefined)
    .flatMap(({ request }) => entries[messages[request]?.entry ?? -1]?.entry.line ?? []);

/** Decides about each line of the live client. A handshake that was played is answered here, as a server takes only one. */
export const answerHandshake = (now: Session): ((line: string) => ForkItem) => {
  const result = initializeResult(now);
  return (line) => {
    const [message] = parseLine(line).messages;
    if (result === undefined || message === undefined || !('method' in message)) return { kind: 'line', line };
    if (message.kind === 'request' && message.method === 'initialize') {
      return { kind: 'answer', line: toJson({ jsonrpc: '2.0', id: message.id, result }) };
    }
    return message.method === 'notifications/initialized' ? { kind: 'ignored' } : { kind: 'line', line };
  };
};

/** What the server answered to `initialize`; undefined if that was not played. */
const initializeResult = (now: Session): unknown => {
  const { calls, messages } = toSessionIndex(now);
  const asked = calls.find(
    ({ from, request }) => from === 'client' && labelOf(messages[request]?.message) === 'initialize',
  );
  const answer = messages[asked?.response ?? -1]?.message;
  return answer?.kind === 'response' ? answer.body.result : undefined;
};

/**
 * The session up to a line of its tape, without the end of its input. Throws TapeError if the session has no such line, or if its client sent
 * nothing up to there.
 * @param at a line number; Infinity for the whole session
 */
export const sessionUpTo = (session: Session, at: number): Session => {
  const last = session.entries.at(-1)?.lineNumber ?? 0;
  if (Number.isFinite(at) && at > last) {
    throw new TapeError(
      `Line ${at} is beyond the session, which ends at line ${last}; without --at all of it is played`,
    );
  }
  const entries = session.entries.filter(({ lineNumber, entry }) => lineNumber <= at && entry.dir !== 'note');
  if (!entries.some(({ entry }) => entry.dir === 'in')) throw new TapeError(`The client sent nothing up to line ${at}`);
  return { ...session, entries: entries.filter(({ entry }) => entry.dir !== 'exit') };
};
