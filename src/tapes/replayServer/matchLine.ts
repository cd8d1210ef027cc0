/** Finds the recorded line that a line of the client stands for. */
import { isObject } from '../../protocol/jsonrpc/json';
import type { RequestId } from '../../protocol/jsonrpc/messages';
import { labelOf, type ParsedLine, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { type Difference, diffJson, toDifferenceText } from '../../streams/marbles/diffJson';
import { matchKey, toCanonical, toMatched } from '../matching/matchKey';
import type { ClientLine } from '../session/sessionIndex';
import { hideMadeUp } from './clientValues';
import {
  nextOfKey,
  type PlaybackEvent,
  type PlaybackSession,
  renamingsOf,
  type ServerPlan,
  unreceivedLines,
} from './playbackSession';

/** A recorded client line, and the remarks on taking the received line for it. */
type Match = { line: number; remarks: readonly PlaybackEvent[] };

/** Finds the match in a session; undefined if there is none. */
export type FindMatch = (session: PlaybackSession) => Match | undefined;

/**
 * Finds the next line of the same meaning.
 * @param current the session whose requests the ids in the line name
 */
export const findSame = (plan: ServerPlan, parsed: ParsedLine, current: PlaybackSession): FindMatch => {
  const key = matchKey(parsed, recordedId(current));
  return (session) => {
    const line = nextOfKey(plan, session, key);
    return line === undefined ? undefined : { line, remarks: line === 0 ? toStatedRemarks(plan, parsed) : [] };
  };
};

const STATED = ['io.modelcontextprotocol/clientInfo', 'io.modelcontextprotocol/clientCapabilities'];

/** Revision 2026-07-28 has no `initialize`: each request states the client. What differs is remarked once, at the first line. */
const toStatedRemarks = ({ index }: ServerPlan, { messages: [message] }: ParsedLine): PlaybackEvent[] => {
  const [line] = index.clientLines;
  const [recorded] = line?.messages ?? [];
  if (line === undefined || message?.kind !== 'request' || recorded?.kind !== 'request') return [];
  const differences = diffJson(statedBy(recorded), statedBy(message), 'params._meta');
  if (differences.length === 0) return [];
  return [{ kind: 'substituted', text: toSubstitution(message, { line, params: recorded.params, differences }) }];
};

const statedBy = ({ params }: TapeMessage & { kind: 'request' }): object => {
  const meta = isObject(params) && isObject(params._meta) ? params._meta : {};
  return Object.fromEntries(STATED.flatMap((name) => (name in meta ? [[name, meta[name]]] : [])));
};

const recordedId =
  (session: PlaybackSession) =>
  (id: RequestId): RequestId =>
    renamingsOf(session).findLast(({ by, now }) => by === 'id' && now === id)?.recorded ?? id;

/** Finds the `initialize` of the same protocol version: the server's response depends on nothing else that a client states. */
export const findInitialize =
  (plan: ServerPlan, { messages }: ParsedLine): FindMatch =>
  (session) => {
    const [message] = messages;
    if (message?.kind !== 'request' || message.method !== 'initialize' || messages.length > 1) return undefined;
    const candidates = openLines(plan, session).filter(
      ({ messages: [one] }) => one?.kind === 'request' && versionOf(one) === versionOf(message),
    );
    return toMatch(plan, message, nearestLine(candidates, message));
  };

/** Finds the line of the same meaning, apart from ids and times that the client makes up. */
export const findMasked = (plan: ServerPlan, { messages }: ParsedLine): FindMatch => {
  const maskedOf = (message: TapeMessage): string =>
    'params' in message ? toCanonical(hideMadeUp(plan.handles(), { params: toMatched(message.params) })) : '';
  return (session) => {
    const [message] = messages;
    if (message?.kind !== 'request' || messages.length > 1) return undefined;
    const masked = maskedOf(message);
    const { clientLines } = plan.index;
    const line = unreceivedLines(plan, session).find((one) => {
      const [recorded] = clientLines[one]?.messages ?? [];
      return recorded?.kind === 'request' && recorded.method === message.method && maskedOf(recorded) === masked;
    });
    return line === undefined ? undefined : { line, remarks: [] };
  };
};

const openLines = (plan: ServerPlan, session: PlaybackSession): ClientLine[] =>
  unreceivedLines(plan, session).flatMap((line) => plan.index.clientLines[line] ?? []);

const versionOf = ({ params }: TapeMessage & { kind: 'request' }): unknown =>
  isObject(params) ? params.protocolVersion : undefined;

/** What a request is about: the URI of a resource, the id of a task, a prompt or template and its argument. Tools and prompts are in its label. */
const targetOf = (message: TapeMessage | undefined): string => {
  const params = message && 'params' in message && isObject(message.params) ? message.params : {};
  const { uri, taskId, ref, argument } = params;
  return toCanonical([uri, taskId, ref, isObject(argument) ? argument.name : undefined]);
};

const toMatch = (plan: ServerPlan, message: TapeMessage, near: NearLine | undefined): Match | undefined =>
  near && {
    line: plan.index.clientLines.indexOf(near.line),
    remarks: [{ kind: 'substituted', text: toSubstitution(message, near) }],
  };

/** Finds the line of the same method, tool and resource whose params differ least. */
export const findNearest =
  (plan: ServerPlan, { messages }: ParsedLine): FindMatch =>
  (session) => {
    const [message] = messages;
    if (message === undefined || messages.length > 1) return undefined;
    const candidates = openLines(plan, session).filter(
      ({ messages: [one] }) => labelOf(one) === labelOf(message) && targetOf(one) === targetOf(message),
    );
    return toMatch(plan, message, nearestLine(candidates, message));
  };

type NearLine = { line: ClientLine; params: unknown; differences: readonly Difference[] };

type Unrecorded = { message: string; data?: unknown };

/** A comparison takes time, and a tape may hold very many requests of one method. */
const MAX_COMPARED = 200;
const MAX_SHOWN = 3;

/** The line of the same method with the fewest differences; the first of several. */
export const nearestLine = (lines: readonly ClientLine[], message: TapeMessage): NearLine | undefined => {
  if (!('method' in message)) return undefined;
  const candidates = lines.flatMap((line) => {
    const [first] = line.messages;
    return first && 'method' in first && first.method === message.method ? [{ line, params: first.params }] : [];
  });
  const compared = candidates.slice(0, MAX_COMPARED).map((one) => ({
    ...one,
    differences: diffJson(toMatched(one.params), toMatched(isObject(message.params) ? message.params : {}), 'params'),
  }));
  return compared.reduce<NearLine | undefined>(
    (best, one) => (best && best.differences.length <= one.differences.length ? best : one),
    undefined,
  );
};

/** Describes a message that was not recorded, with the nearest line that was. */
export const toUnrecorded = (lines: readonly ClientLine[], message: TapeMessage): Unrecorded => {
  const label = labelOf(message);
  const near = nearestLine(lines, message);
  if (near === undefined) return { message: `Not recorded: ${label}; the tape has nothing of that method` };
  const { line, differences, params } = near;
  const how = differences.length === 0 ? 'it is the same, but was sent fewer times' : toText(differences);
  return {
    message: `Not recorded: ${label}. Nearest is ${placeOf(line)}; ${how}`,
    data: {
      nearest: { line: line.lineNumber, method: labelOf(line.messages[0]), params },
      differences: differences.slice(0, MAX_COMPARED),
    },
  };
};

/** Describes which recorded line a message was taken for. */
export const toSubstitution = (message: TapeMessage, { line, differences }: NearLine): string =>
  `${labelOf(message)} is taken for ${placeOf(line)}; ${toText(differences)}`;

const placeOf = ({ lineNumber, messages }: ClientLine): string => `line ${lineNumber}: ${labelOf(messages[0])}`;

/** The first differences, for a person. */
export const toText = (differences: readonly Difference[]): string =>
  differences.slice(0, MAX_SHOWN).map(toDifferenceText).join('; ');
