/** Verifies a server against one session: plays the client of the session (`playSession`), and compares what the server sends (`compare`). */
import { map, type Observable, tap } from 'rxjs';
import { isHttpUrl, toPublicUrl } from '../../io/mcpServer/httpAddress';
import { counted } from '../../streams/text/reasons';
import { compare, EXIT_LABEL, type LaneResult, NOT_NOW } from '../diff/compare';
import {
  type Entry,
  INPUT_ENDED,
  type NumberedEntry,
  type Session,
  SIGNAL_NOTE,
  TAPE_VERSION,
  TapeError,
} from '../format/tape';
import { framingOf, withLength } from '../format/tapeLines';
import type { Masks } from '../matching/mask';
import type { Pace } from '../replayClient/clientPlan';
import { type SessionIndex, toServerEnd } from '../session/sessionIndex';
import { toSessionIndex } from '../session/toSessionIndex';
import { type EndedBy, type PlayedSession, playSession } from './playSession';
import { type ServerDeps, toServer } from './toServer';

/** The error of a command that cannot be started, whatever the tape. */
export class StartError extends TapeError {
  override name = 'StartError';
}

/** How a session is verified. */
export type SessionOptions = {
  /** A program with its arguments, or the URL of a server over HTTP. */
  command: readonly string[];
  masks: Masks;
  /** How long the server may be silent. */
  limitMs: number;
  pace: Pace;
};

/** A session that was played against a server. */
export type VerifiedSession = {
  now: Session;
  results: readonly LaneResult[];
  /** Why it ended early, if it did. */
  cause?: string;
};

/** How long to wait for a notification that was recorded before a line of the client. */
const PATIENCE_MS = 1_000;

/** A server that sends more than that, and that many times what was recorded, is ended. */
const FLOOD_BYTES = 16_000_000;
const FLOOD_TIMES = 4;

/** Plays a session against a command. Emits once and completes. Errors with TapeError if the command cannot be started. */
export const playOn = (
  deps: ServerDeps,
  session: Session,
  { command, limitMs, pace }: Omit<SessionOptions, 'masks'>,
): Observable<PlayedSession> => {
  const recorded = toSessionIndex(session);
  const meta = {
    ...recorded.meta,
    version: TAPE_VERSION,
    recorder: `codex-rx ${deps.version}`,
    started: deps.started.toISOString(),
    command: command.map((word) => (isHttpUrl(word) ? toPublicUrl(new URL(word)) : word)),
  };
  const patience = { patienceMs: Math.min(PATIENCE_MS, limitMs), limitMs, pace };
  const recordedBytes = session.entries.reduce((sum, { entry: { line } }) => sum + line.length, 0);
  const maxBytes = FLOOD_BYTES + FLOOD_TIMES * recordedBytes;
  const server = toServer({ ...deps, maxBytes }, command, framingOf(session));
  return playSession({ server, patience, meta, clock: deps.clock }, recorded).pipe(
    tap((played) => checkStarted(played)),
  );
};

/** The same, compared with the session. */
export const verifySession = (
  deps: ServerDeps,
  session: Session,
  options: SessionOptions,
): Observable<VerifiedSession> =>
  playOn(deps, session, options).pipe(
    map(({ endedBy, ...now }) => {
      const [recorded, index] = [toSessionIndex(session), toSessionIndex(now)];
      const cause = causeOfEnd(recorded, index, endedBy);
      const results = collapseUnplayed(compare(recorded, index, options.masks), cause);
      return { now, results, ...(cause !== undefined && { cause }) };
    }),
  );

const isNoteOfClient = (line: string): boolean => line === INPUT_ENDED || line.startsWith(SIGNAL_NOTE);

const checkStarted = ({ entries }: Session): void => {
  const failed = entries.find(({ entry: { dir, line } }) => dir === 'note' && !isNoteOfClient(line));
  if (failed) throw new StartError(failed.entry.line);
};

/**
 * Why a session ended early, with what the server wrote last on stderr. Undefined if the client sent all its lines, and the server responded to as
 * many requests as before or is still there.
 * @param endedBy what began the end: a client that waited for too long, the server, or too much of its output
 */
export const causeOfEnd = (recorded: SessionIndex, now: SessionIndex, endedBy: EndedBy): string | undefined => {
  const [all, some] = [countLines(recorded), countLines(now)];
  const { exit } = now;
  if (endedBy === 'flood' || some < all) {
    const isSilent = exit === undefined || endedBy === 'client';
    const cause = isSilent ? HUNG : causeOf(now, exit);
    return `${endedBy === 'flood' ? FLOOD : cause}; the client got to send ${some} of its ${all} lines`;
  }
  const missing = countAnswered(recorded) - countAnswered(now);
  if (missing <= 0) return undefined;
  const left = `it did not respond to ${counted(missing, 'request')}`;
  if (endedBy === 'client' && !answersLate(recorded)) return `${HUNG}; ${left}`;
  return exit === undefined || exit.code === 0 || isSameEnd(exit, recorded.exit)
    ? undefined
    : `${causeOf(now, exit)}; ${left}`;
};

/** The cause of an end by a client that waited for too long, whichever its last line was. */
const HUNG = 'the server did not respond in time';

/** The cause of an end by the output of a server without end. */
export const FLOOD = `the server sent more than ${FLOOD_BYTES / 1e6} MB and ${FLOOD_TIMES} times what was recorded`;

/** Whether the recorded server responded when the client's input had ended, which a client does not wait for. */
const answersLate = ({ calls, messages, inputEnded = Number.POSITIVE_INFINITY }: SessionIndex): boolean =>
  calls.some(({ from, response }) => from === 'client' && (messages[response ?? -1]?.entry ?? 0) > inputEnded);

type Exit = NonNullable<SessionIndex['exit']>;

const isSameEnd = (now: Exit, recorded: Exit | undefined): boolean =>
  now.code === recorded?.code && now.signal === recorded.signal;

const MAX_CHARS = 200;

const causeOf = ({ entries }: SessionIndex, exit: Exit): string => {
  const last = entries.findLast(({ entry: { dir, line } }) => dir === 'err' && line.trim() !== '')?.entry.line;
  return `the server ended ${toServerEnd(exit).text}${last === undefined ? '' : ` (${last.trim().slice(0, MAX_CHARS)})`}`;
};

const countLines = ({ clientLines }: SessionIndex): number => clientLines.filter(({ kind }) => kind === 'line').length;

const countAnswered = ({ calls }: SessionIndex): number =>
  calls.filter(({ from, response }) => from === 'client' && response !== undefined).length;

/**
 * Replaces all differences caused by an early end with one.
 * @param cause undefined if the session did not end early
 */
export const collapseUnplayed = (results: readonly LaneResult[], cause: string | undefined): readonly LaneResult[] => {
  const lost = results.filter(isLost);
  const [first] = lost;
  if (cause === undefined || first === undefined) return results;
  const { lineNumber } = first;
  const end: LaneResult = {
    label: 'the early end of the session',
    lineNumber,
    recorded: [],
    now: [],
    difference: { at: 0, reason: cause, values: [] },
  };
  return [...results.filter((result) => !lost.includes(result)), end];
};

/** A lane that was not played, or whose server lines ended too early. */
const isLost = ({ label, difference, recorded, now }: LaneResult): boolean =>
  difference !== undefined &&
  (label === EXIT_LABEL ||
    difference.reason === NOT_NOW ||
    (difference.at === now.length && now.length < recorded.length));

/** By the number of a line on the tape: the entries in its place. */
type Edits = ReadonlyMap<number, readonly Entry[]>;

/** The lines that change. If a value of such a line is also in other lines, the session is replaced as a whole. */
export const toEdits = (recorded: Session, { now, results }: VerifiedSession, masks: Masks): Edits => {
  const edits = new Map<number, readonly Entry[]>();
  const lines = { own: byLine(recorded), now: byLine(now) };
  for (const result of results.filter(({ difference }) => difference)) {
    if (result.label === EXIT_LABEL) addExit(edits, lines);
    else addEdits(edits, lines, result);
  }
  if (edits.size === 0) return edits;
  const updated = compare(toSessionIndex(withEdits(recorded, edits)), toSessionIndex(now), masks);
  return updated.every(({ difference }) => difference === undefined) ? edits : wholeEdits(recorded, now);
};

type ByLine = ReadonlyMap<number, Entry>;
type Lines = { own: ByLine; now: ByLine };

const byLine = ({ entries }: Session): ByLine => new Map(entries.map(({ lineNumber, entry }) => [lineNumber, entry]));

const addEdits = (edits: Map<number, readonly Entry[]>, lines: Lines, result: LaneResult): void => {
  const { recorded, now, lineNumber } = result;
  const anchor = recorded.at(-1)?.lineNumber ?? (lines.own.has(lineNumber) ? lineNumber : lastOf(lines.own));
  for (let at = 0; at < Math.max(recorded.length, now.length); at++) {
    const [before, after] = [recorded[at], now[at]];
    if (before?.text === after?.text) continue;
    const entry = after && lines.now.get(after.lineNumber);
    if (before === undefined) addBehind(edits, lines.own, { anchor, entry });
    else edits.set(before.lineNumber, entry ? [inPlaceOf(lines.own.get(before.lineNumber), entry)] : []);
  }
};

const lastOf = (lines: ByLine): number => [...lines].findLast(([, { dir }]) => dir === 'in' || dir === 'out')?.[0] ?? 0;

const addExit = (edits: Map<number, readonly Entry[]>, { own, now }: Lines): void => {
  const [[lineNumber, before] = [], [, after] = []] = [own, now].map((lines) =>
    [...lines].findLast(([, { dir }]) => dir === 'exit'),
  );
  if (lineNumber !== undefined && after !== undefined) edits.set(lineNumber, [inPlaceOf(before, after)]);
};

/** What came keeps the time of what it replaces. */
const inPlaceOf = (before: Entry | undefined, { line, status, head, end }: Entry): Entry => {
  const { bytes, status: _, ...kept } = before ?? { t: 0, dir: 'out', line };
  return withLength({
    ...kept,
    line,
    ...(head !== undefined && { head, end }),
    ...(status !== undefined && { status }),
  });
};

const addBehind = (
  edits: Map<number, readonly Entry[]>,
  own: ByLine,
  { anchor, entry }: { anchor: number; entry: Entry | undefined },
): void => {
  const before = own.get(anchor);
  if (entry === undefined || before === undefined) return;
  edits.set(anchor, [...(edits.get(anchor) ?? [before]), { ...entry, t: before.t }]);
};

const withEdits = ({ meta, entries }: Session, edits: Edits): Session => ({
  meta,
  entries: entries.flatMap((one): NumberedEntry[] =>
    (edits.get(one.lineNumber) ?? [one.entry]).map((entry) => ({ lineNumber: one.lineNumber, entry })),
  ),
});

const wholeEdits = ({ entries }: Session, now: Session): Edits =>
  new Map(entries.map(({ lineNumber }, at) => [lineNumber, at === 0 ? now.entries.map(({ entry }) => entry) : []]));
