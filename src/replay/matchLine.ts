/** Finds the recorded line that a line of the client stands for. */
import type { RequestId } from '../protocol/jsonrpc';
import { labelOf, matchKey, type ParsedLine } from '../session';
import { nearestLine, toSubstitution } from './nearestLine';
import type { PlaybackEvent } from './playbackEvent';
import { nextOfKey, type PlaybackSession, renamingsOf, unreceivedLines } from './playbackSession';
import type { ServerPlan } from './serverPlan';

/** A recorded client line, and the remarks on taking the received line for it. */
export type Match = { line: number; remarks: readonly PlaybackEvent[] };

/** Finds the match in a session; undefined where it has none. */
export type FindMatch = (session: PlaybackSession) => Match | undefined;

/** Finds the next line of the same meaning. @param current the session whose names the ids in the line are */
export const findSame = (plan: ServerPlan, parsed: ParsedLine, current: PlaybackSession): FindMatch => {
  const key = matchKey(parsed, recordedId(current));
  return (session) => {
    const line = nextOfKey(plan, session, key);
    return line === undefined ? undefined : { line, remarks: [] };
  };
};

/** The recorded id of a request of this client. */
const recordedId =
  (session: PlaybackSession) =>
  (id: RequestId): RequestId =>
    renamingsOf(session).findLast(({ by, now }) => by === 'id' && now === id)?.recorded ?? id;

/** Finds the line of the same method and tool whose params differ least. */
export const findNearest =
  (plan: ServerPlan, { messages }: ParsedLine): FindMatch =>
  (session) => {
    const [message] = messages;
    if (message === undefined || messages.length > 1) return undefined;
    const { clientLines } = plan.index;
    const candidates = unreceivedLines(plan, session)
      .flatMap((line) => clientLines[line] ?? [])
      .filter((line) => labelOf(line.messages[0]) === labelOf(message));
    const near = nearestLine(candidates, message);
    if (near === undefined) return undefined;
    const text = toSubstitution(message, near);
    return { line: clientLines.indexOf(near.line), remarks: [{ kind: 'substituted', text }] };
  };
