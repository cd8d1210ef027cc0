/** Opens a playback session, and lets it receive lines and responses of the client. */
import { isObject } from '../../protocol/jsonrpc/json';
import { idKey, type RequestId } from '../../protocol/jsonrpc/messages';
import { labelOf, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { namesOf, type Renaming } from '../../protocol/jsonrpc/requestNames';
import { diffJson } from '../../streams/marbles/diffJson';
import { toCanonical } from '../matching/matchKey';
import type { ServerLine } from '../session/sessionIndex';
import { itemAt, withItem } from '../session/sparseArray';
import { differingValues, hideMadeUp } from './clientValues';
import { toText } from './matchLine';
import {
  type PlaybackEvent,
  type PlaybackSession,
  type Progress,
  type ReleasedLine,
  type ServerPlan,
  toErrorLine,
  toLine,
  withoutLane,
} from './playbackSession';

/** A session before its first line, with the lines that the server sends of its own accord. */
export const openPlaybackSession = (plan: ServerPlan, startMs: number): Progress => {
  const session: PlaybackSession = {
    startMs,
    arrivals: [],
    received: [],
    lanes: [],
    waiting: [],
    openRequests: [],
    values: [],
  };
  return releaseLines(plan, session, [...plan.lanes.keys()]);
};

/** A client may make up a value for each call; old values are hardly repeated. */
const MAX_VALUES = 100;

type LineArrival = {
  /** The recorded line that it matches. */
  line: number;
  /** Its own messages. */
  messages: readonly TapeMessage[];
  atMs: number;
};

/** The session after a client line, with what it releases. */
export const receiveLine = (
  plan: ServerPlan,
  before: PlaybackSession,
  { line, messages, atMs }: LineArrival,
): Progress => {
  const recorded = plan.index.clientLines[line]?.messages ?? [];
  const renamings = toRenamings(recorded, messages);
  const values = recorded.flatMap((one, i) => differingValues(one, messages[i]));
  const arrivals = withItem(before.arrivals, line, { atMs, renamings });
  const isRepeated = itemAt(before.arrivals, line) !== undefined; // a poll, which is answered again
  const session = {
    ...before,
    arrivals,
    lanes: isRepeated ? withItem(before.lanes, line + 1, undefined) : before.lanes,
    received: countReceived(plan, { ...before, arrivals }, line),
    waiting: withItem(before.waiting, line, undefined),
    values: values.length === 0 ? before.values : [...before.values, ...values].slice(-MAX_VALUES),
  };
  return releaseLines(plan, session, isRepeated ? [line] : (itemAt(before.waiting, line) ?? []));
};

const toRenamings = (recorded: readonly TapeMessage[], messages: readonly TapeMessage[]): Renaming[] => {
  const now = messages.flatMap(namesOf);
  return recorded.flatMap(namesOf).flatMap(({ by, name }, i) => {
    const other = now[i];
    return other?.by === by ? [{ by, recorded: name, now: other.name }] : [];
  });
};

const countReceived = (plan: ServerPlan, { arrivals, received }: PlaybackSession, line: number) => {
  const { id, lines } = plan.linesByKey.get(plan.keyOf[line] ?? '') ?? { id: -1, lines: [] };
  if (id === -1) return received;
  let count = itemAt(received, id) ?? 0;
  while (count < lines.length && itemAt(arrivals, lines[count] as number)) count += 1;
  return withItem(received, id, count);
};

/** The session after releasing what it can of these owners' lines. */
export const releaseLines = (plan: ServerPlan, session: PlaybackSession, owners: readonly number[]): Progress => {
  const progress = owners.reduce<Progress>(
    (before, owner) => {
      const { session: next, released } = advanceLane(plan, before.session, owner);
      return { session: next, released: [...before.released, ...released] };
    },
    { session, released: [] },
  );
  return { ...progress, released: progress.released.toSorted((a, b) => a.index - b.index) };
};

/** Releases the lines of one owner up to the first that waits for a client line. */
const advanceLane = (plan: ServerPlan, session: PlaybackSession, owner: number): Progress => {
  const lines = plan.lanes.get(owner) ?? [];
  const released: ReleasedLine[] = [];
  let { next, waitsFor } = itemAt(session.lanes, owner + 1) ?? { next: 0, waitsFor: Math.max(0, owner) };
  for (let index = lines[next]; index !== undefined; index = lines[++next]) {
    const line = plan.index.serverLines[index] as ServerLine;
    while (waitsFor < line.clientLinesBefore && hasCome(plan, session, { waitsFor, owner })) waitsFor += 1;
    if (waitsFor < line.clientLinesBefore) break;
    released.push(release(plan, session, index));
  }
  const isWaiting = next < lines.length;
  return {
    session: {
      ...session,
      lanes: withItem(session.lanes, owner + 1, { next, waitsFor }),
      waiting: isWaiting ? withWaiting(session, waitsFor, owner) : session.waiting,
      openRequests: [...session.openRequests, ...released.filter(isRequest).map(({ index }) => index)],
    },
    released,
  };
};

/** How often the client polls is its own choice, so nothing else waits for a poll. */
const hasCome = (
  { polls }: ServerPlan,
  { arrivals }: PlaybackSession,
  { waitsFor, owner }: { waitsFor: number; owner: number },
): boolean => itemAt(arrivals, waitsFor) !== undefined || (waitsFor !== owner && polls.isPoll(waitsFor));

const withWaiting = ({ waiting }: PlaybackSession, line: number, owner: number): PlaybackSession['waiting'] =>
  withItem(waiting, line, [...(itemAt(waiting, line) ?? []), owner]);

const isRequest = ({ line }: ReleasedLine): boolean => line.messages.some(({ kind }) => kind === 'request');

const release = ({ index: { clientLines, serverLines } }: ServerPlan, session: PlaybackSession, index: number) => {
  const line = serverLines[index] as ServerLine;
  const before = line.clientLinesBefore - 1;
  return {
    line,
    index,
    renamings: itemAt(session.arrivals, line.owner)?.renamings ?? [],
    values: session.values,
    fromMs: itemAt(session.arrivals, before)?.atMs ?? session.startMs,
    afterMs: Math.max(0, line.t - (clientLines[before]?.t ?? 0)),
  };
};

/** A response of the client at `atMs`. */
type ReceivedResponse = { message: TapeMessage & { kind: 'response' }; atMs: number };

/** The open request of a session that has this id: the index of its server line. */
export const findOpenRequest = (
  { index }: ServerPlan,
  { openRequests }: PlaybackSession,
  id: RequestId,
): number | undefined =>
  openRequests.find((line) =>
    index.serverLines[line]?.messages.some((message) => message.kind === 'request' && idKey(message.id) === idKey(id)),
  );

/** The session after the response to its open request `line`; if that is not the recorded one, the client's request fails. */
export const receiveResponse = (
  plan: ServerPlan,
  before: PlaybackSession,
  { line, message, atMs }: ReceivedResponse & { line: number },
): { session: PlaybackSession; output: readonly PlaybackEvent[] } => {
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
  const differences = isSame ? '' : toText(diffJson(recorded, message.body, 'response'));
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

/** The folders that a client works in may be anywhere: they do not change what it does. Source: MCP 2025-11-25, roots. */
const namesFolders = ({ messages: [request] }: ServerLine, ...bodies: readonly unknown[]): boolean =>
  request?.kind === 'request' &&
  request.method === 'roots/list' &&
  bodies.every((body) => isObject(body) && body.result !== undefined);

const recordedBody = ({ index }: ServerPlan, { answeredBy }: ServerLine): unknown => {
  const [message] = index.clientLines[answeredBy ?? -1]?.messages ?? [];
  if (answeredBy === undefined) return undefined;
  return message?.kind === 'response' ? message.body : {};
};

/** The rest of the recording followed from another response, so the owner's request fails. */
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
