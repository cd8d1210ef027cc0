/** The reducer of a fork: which lines of the server reach the live client. */

import type { ServerEvent } from '../../io/serverProcess/serverProcess';
import { idKey } from '../../protocol/jsonrpc/messages';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import type { Traffic } from '../../streams/connectPeers';
import type { LaneResult } from '../diff/compare';
import type { Session } from '../format/tape';

/**
 * What the played client, and then the live one, does. `live` hands over, with what was played; `answer` is a line for the live client
 * that the server does not see; `ignored` is one of the live client that the server does not need.
 */
export type ForkItem =
  | { kind: 'line'; line: string }
  | { kind: 'answer'; line: string }
  | { kind: 'ignored' }
  | { kind: 'differs'; results: readonly LaneResult[] }
  | { kind: 'live'; results: readonly LaneResult[]; now: Session }
  | { kind: 'end' };

/** A line for the live client, a remark, the comparison of the beginning, or how the server ended. */
export type ForkOutput =
  | { kind: 'line'; line: string }
  | { kind: 'log'; line: string }
  | { kind: 'compared'; results: readonly LaneResult[]; handedOver: boolean }
  | { kind: 'ended'; trouble: string; exitCode?: number };

/** `openIds` are the requests of the live client without a response. */
export type Fork = { phase: 'playing' } | { phase: 'live'; openIds: ReadonlySet<string> };

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
      const requests = openRequests(item.now).map((line): ForkOutput => ({ kind: 'line', line }));
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

/** Lines of the server whose requests the played client did not answer; the live one is to answer them. */
const openRequests = ({ entries }: Session): string[] => {
  const answered = new Set(
    entries
      .filter(({ entry }) => entry.dir === 'in')
      .flatMap(({ entry }) => parseLine(entry.line).messages)
      .flatMap((message) => (message.kind === 'response' && message.id !== null ? [idKey(message.id)] : [])),
  );
  return entries.flatMap(({ entry }) => {
    const [message] = parseLine(entry.line).messages;
    const isOpen = entry.dir === 'out' && message?.kind === 'request' && !answered.has(idKey(message.id));
    return isOpen ? [entry.line] : [];
  });
};
