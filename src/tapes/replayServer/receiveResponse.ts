/** Compares a response of the client with the recorded one. */

import { isObject } from '../../protocol/jsonrpc/json';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import { labelOf, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { diffJson, toDifferenceText } from '../../streams/marbles/diffJson';
import { toCanonical } from '../matching/matchKey';
import type { ServerLine } from '../session/sessionIndex';
import { itemAt } from '../session/sparseArray';
import { hideMadeUp } from './hideMadeUp';
import { type PlaybackEvent, toErrorLine, toLine } from './playbackEvent';
import { type PlaybackSession, withoutLane } from './playbackSession';
import { receiveLine } from './receiveLine';
import type { ServerPlan } from './serverPlan';

/** A response of the client at `atMs`. */
export type ReceivedResponse = { message: TapeMessage & { kind: 'response' }; atMs: number };

type Played = { session: PlaybackSession; output: readonly PlaybackEvent[] };

const MAX_SHOWN = 3;

/** The open request of a session that has this id: the index of its server line. */
export const findOpenRequest = (
  { index }: ServerPlan,
  { openRequests }: PlaybackSession,
  id: RequestId,
): number | undefined =>
  openRequests.find((line) =>
    index.serverLines[line]?.messages.some((message) => message.kind === 'request' && idKey(message.id) === idKey(id)),
  );

/**
 * The session after the response to its open request `line`: it continues where the response is the recorded one; otherwise the
 * client's request that the server's request belongs to fails.
 */
export const receiveResponse = (
  plan: ServerPlan,
  before: PlaybackSession,
  { line, message, atMs }: ReceivedResponse & { line: number },
): Played => {
  const session = { ...before, openRequests: before.openRequests.filter((open) => open !== line) };
  const request = plan.index.serverLines[line] as ServerLine;
  const what = `line ${request.lineNumber}: ${labelOf(request.messages[0])}`;
  const recorded = recordedBody(plan, request);
  if (request.answeredBy === undefined || recorded === undefined) {
    const text = `Not recorded: a response to ${what}; the recorded client sent none`;
    return { session, output: [{ kind: 'unrecorded', text }] };
  }
  const comparable = (body: unknown): string => toCanonical(hideMadeUp(plan.handles(), body));
  const isSame = comparable(recorded) === comparable(message.body);
  const differences = isSame ? '' : toDifferencesText(recorded, message.body);
  if (isSame || namesFolders(request, recorded, message.body)) {
    const next = receiveLine(plan, session, { line: request.answeredBy, messages: [], atMs });
    const remark = `The response to ${what} is taken for the recorded one; ${differences}`;
    const remarks: PlaybackEvent[] = isSame ? [] : [{ kind: 'substituted', text: remark }];
    return { session: next.session, output: [...remarks, ...next.released.map(toLine)] };
  }
  const text = `Not recorded: this response to ${what}; ${differences}`;
  return {
    session: withoutLane(plan, session, request.owner),
    output: [{ kind: 'unrecorded', text }, ...failOwner(plan, session, { owner: request.owner, text })],
  };
};

/** The folders of a client are those that it works in: another place says nothing about what it does. Source: MCP 2025-11-25, roots. */
const namesFolders = ({ messages: [request] }: ServerLine, ...bodies: readonly unknown[]): boolean =>
  request?.kind === 'request' &&
  request.method === 'roots/list' &&
  bodies.every((body) => isObject(body) && body.result !== undefined);

const toDifferencesText = (recorded: unknown, now: unknown): string =>
  diffJson(recorded, now, 'response').slice(0, MAX_SHOWN).map(toDifferenceText).join('; ');

const recordedBody = ({ index }: ServerPlan, { answeredBy }: ServerLine): unknown => {
  const [message] = index.clientLines[answeredBy ?? -1]?.messages ?? [];
  if (answeredBy === undefined) return undefined;
  return message?.kind === 'response' ? message.body : {};
};

/** The rest of the recording followed from another response, so the request that it belongs to fails. */
const failOwner = (
  { index }: ServerPlan,
  { arrivals }: PlaybackSession,
  { owner, text }: { owner: number; text: string },
): PlaybackEvent[] => {
  const [message] = index.clientLines[owner]?.messages ?? [];
  if (message?.kind !== 'request') return [];
  const now = itemAt(arrivals, owner)?.renamings.find(({ by }) => by === 'id')?.now;
  return [toErrorLine(now ?? message.id, text)];
};
