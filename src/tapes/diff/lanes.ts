/** Splits sessions into lanes: for each line of the client, what the server sent because of it; and pairs the lanes of two sessions. */
import { isObject, wordOf } from '../../protocol/jsonrpc/json';
import { labelOf, type ParsedLine, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { withoutRequestNames } from '../../protocol/jsonrpc/requestNames';
import { type Difference, diffJson } from '../../streams/marbles/diffJson';
import { ignoresLabel } from '../matching/ignore';
import { hidesMessage, type Masks } from '../matching/mask';
import { groupBy } from '../session/groupBy';
import { freeLaneOf } from '../session/joinDeltas';
import { serverLabelOf } from '../session/pairingKey';
import type { ClientLine, ServerLine, SessionIndex } from '../session/sessionIndex';
import { polledStates, shownTask, taskState, WORKING } from '../session/sessionTasks';
import type { Comparer } from './toComparer';

/** The server lines that belong to a client line. */
export type Lane = {
  label: string;
  lineNumber: number;
  /** Undefined for lines that belong to no client line. */
  client?: ClientLine;
  lines: readonly ServerLine[];
  /** Its notifications of progress, if the masks hide how many there are. */
  progress?: readonly ServerLine[];
};

/** The lanes of a session, without what the masks ignore. */
export const toLanes = (index: SessionIndex, masks: Masks): Lane[] => {
  const { clientLines, serverLines } = index;
  const { polls, pushes } = seenAgain(index);
  const isHidden = ({ messages: [message] }: ServerLine): boolean =>
    message !== undefined && 'method' in message && hidesMessage(masks, message.method);
  const ownerOf = (line: ServerLine) => laneOf(line, line.link === 'named' ? line.owner : undefined);
  const compared = serverLines.filter(
    (line) => !pushes.has(line) && !isIgnored(masks, line.messages[0], serverLabelOf(line.messages[0])),
  );
  const lines = groupBy(
    compared.filter((line) => !isHidden(line)),
    ownerOf,
  );
  const progress = groupBy(compared.filter(isHidden), ({ link, owner }): number | string =>
    link === 'named' ? owner : NO_REQUEST,
  );
  const partsOf = (owner: number | string) => ({ lines: lines.get(owner) ?? [], progress: progress.get(owner) });
  const owned = clientLines.flatMap((client, owner): Lane[] => {
    const [message] = client.messages;
    const label = labelOf(message);
    if (client.kind === 'endOfInput' || polls.has(owner) || isIgnored(masks, message, label)) return [];
    return [{ label, lineNumber: client.lineNumber, client, ...partsOf(owner) }];
  });
  const free = [...lines].flatMap(([label, own]): Lane[] =>
    typeof label === 'string' && label !== NO_REQUEST ? [{ label, lineNumber: 0, lines: own }] : [],
  );
  return [...owned, { label: NO_REQUEST, lineNumber: 0, ...partsOf(NO_REQUEST) }, ...free];
};

const NO_REQUEST = 'what belongs to no request';

/** Polls of the client, and pushes of the server, that show nothing but that a task works, or a state that was shown before. */
const seenAgain = (index: SessionIndex): { polls: ReadonlySet<number>; pushes: ReadonlySet<ServerLine> } => {
  const isNew = newStates();
  const pushed = newStates();
  const polls = [...polledStates(index)].filter(([, { taskId, state }]) => !isNew(taskId, state)).map(([line]) => line);
  const pushes = index.serverLines.filter(({ owner, messages: [message] }) => {
    const task = message?.kind === 'notification' ? shownTask(message) : undefined;
    return task !== undefined && !pushed(`${owner} ${wordOf(task.taskId)}`, taskState(task));
  });
  return { polls: new Set(polls), pushes: new Set(pushes) };
};

/** Makes a function that is true for a state of a task that was not the last one, and is not that it works. */
const newStates = () => {
  const last = new Map<string, string>();
  return (task: string, state: string): boolean => {
    if (state === WORKING || last.get(task) === state) return false;
    last.set(task, state);
    return true;
  };
};

/**
 * The lane of a line. The order of notifications of two methods that name no request varies, as that of a log and what it is about.
 * @param request what the line belongs to, if it names a request
 */
export const laneOf = <T>({ value, messages: [message] }: ParsedLine, request: T | undefined): T | string =>
  freeLaneOf(value) ??
  request ??
  (message?.kind === 'notification' ? `${message.method} outside of requests` : NO_REQUEST);

/** Whether the masks leave a message out, by its method or its label. */
export const isIgnored = ({ ignored }: Masks, message: TapeMessage | undefined, label: string): boolean =>
  ignoresLabel(ignored, message && 'method' in message ? [message.method, label] : [label]);

/**
 * The progress of two lanes by which they differ: the first kind now that was not recorded. Only the number, the time, the numbers that rise and the
 * words may differ; without recorded progress, only what no progress can be.
 */
export const newProgress = ({ recorded, now }: LanePair): [ServerLine | undefined, ServerLine] | undefined => {
  const [before, after] = [toKinds(recorded?.progress ?? []), toKinds(now?.progress ?? [])];
  const found = [...after].find(([kind]) => !before.has(kind) && (before.size > 0 || !kind.startsWith(RIGHT)));
  return found && [[...before.values()][0], found[1]];
};

/** Progress of an open request, by a number that rises. */
const RIGHT = 'right ';

const toKinds = (progress: readonly ServerLine[]): ReadonlyMap<string, ServerLine> => {
  const latest = new Map<number, number>();
  const kinds = new Map<string, ServerLine>();
  for (const line of progress) {
    const params = isObject(line.value) && isObject(line.value.params) ? line.value.params : {};
    const { progress: step, total, message } = params;
    const rises = typeof step === 'number' && step > (latest.get(line.owner) ?? Number.NEGATIVE_INFINITY);
    if (rises) latest.set(line.owner, step);
    const isRight = rises && line.link === 'named';
    const kind = `${isRight ? RIGHT : 'wrong '}${JSON.stringify([total, typeof message])}`;
    if (!kinds.has(kind)) kinds.set(kind, line);
  }
  return kinds;
};

/** A pair of lanes. */
export type JoinedPair = LanePair & {
  /** How the client's line differs, if another line took the place of the recorded one. */
  changed?: readonly Difference[];
};

/** Joins the n-th request of one session with the n-th of the same method and tool of the other: one cause is one difference. */
export const joinChanged = (pairs: readonly LanePair[]): JoinedPair[] => {
  const added = pairs.flatMap(({ recorded, now }) => (now && !recorded && isRequest(now) ? [now] : []));
  const byLabel = groupBy(added, ({ label }) => label);
  const partners = new Map<Lane, Lane>();
  for (const { recorded, now } of pairs) {
    const partner = recorded && !now && isRequest(recorded) ? byLabel.get(recorded.label)?.shift() : undefined;
    if (recorded && partner) partners.set(recorded, partner);
  }
  const joined = new Set(partners.values());
  return pairs.flatMap((pair): JoinedPair[] => {
    const now = pair.recorded && partners.get(pair.recorded);
    if (pair.recorded && now)
      return [{ recorded: pair.recorded, now, changed: diffJson(messageOf(pair.recorded), messageOf(now), 'message') }];
    return pair.recorded === undefined && pair.now && joined.has(pair.now) ? [] : [pair];
  });
};

const isRequest = ({ client }: Lane): boolean => client?.messages[0]?.kind === 'request';

const messageOf = ({ client }: Lane): unknown =>
  client?.value === undefined ? client?.line : withoutRequestNames(client.value);

/** A recorded lane and the lane in its place; undefined if there is none. */
export type LanePair = { recorded?: Lane; now?: Lane };

/** One side of a comparison. */
export type Side = { lanes: readonly Lane[]; comparer: Comparer };

/** Pairs the n-th line of one meaning with the n-th of the other side, in recorded order; lines with the same bytes first, which saves work. */
export const pairLanes = (recorded: Side, now: Side): LanePair[] => {
  const bySame = pairBy(recorded.lanes, now.lanes, ({ client, label }) => client?.line ?? label);
  const restNow = now.lanes.filter((lane) => !bySame.taken.has(lane));
  const restRecorded = recorded.lanes.filter((lane) => !bySame.partner.has(lane));
  const keyOf =
    ({ comparer }: Side) =>
    ({ client, label }: Lane): string =>
      client ? comparer.keyOf(client) : label;
  const keysNow = new Map(restNow.map((lane) => [lane, keyOf(now)(lane)]));
  const byKey = pairBy(restRecorded, restNow, (lane) => keysNow.get(lane) ?? keyOf(recorded)(lane));
  const pairs = recorded.lanes.map((lane): LanePair => {
    const other = bySame.partner.get(lane) ?? byKey.partner.get(lane);
    return other === undefined ? unpaired(lane, 'recorded') : { recorded: lane, now: other };
  });
  const added = restNow.filter((lane) => !byKey.taken.has(lane) && !isPoll(lane));
  return [...pairs, ...added.map((lane) => unpaired(lane, 'now'))];
};

/** How long a client goes on polling does not depend on the server. */
const isPoll = ({ label }: Lane): boolean => label === 'tasks/get';

/** A lane that belongs to no line of the client is paired with an empty lane. */
const unpaired = (lane: Lane, side: 'recorded' | 'now'): LanePair => {
  const { label, lineNumber } = lane;
  const empty: Lane = { label, lineNumber, lines: [] };
  return lane.client ? { [side]: lane } : { recorded: empty, now: empty, [side]: lane };
};

type Paired = { partner: ReadonlyMap<Lane, Lane>; taken: ReadonlySet<Lane> };

const pairBy = (recorded: readonly Lane[], now: readonly Lane[], keyOf: (lane: Lane) => string): Paired => {
  const groups = groupBy(now, keyOf);
  const counts = new Map<string, number>();
  const partner = new Map<Lane, Lane>();
  for (const lane of recorded) {
    const key = keyOf(lane);
    const count = counts.get(key) ?? 0;
    const other = groups.get(key)?.[count];
    if (other === undefined) continue;
    counts.set(key, count + 1);
    partner.set(lane, other);
  }
  return { partner, taken: new Set(partner.values()) };
};
