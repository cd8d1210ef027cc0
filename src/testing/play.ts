/** The reducer of a session that is played: what has been sent and received so far, and what the client may send next. */
import { messagesIn, type ParsedLine, parseLine, type TapeMessage } from '../protocol/jsonrpc/parseLine';
import { parseTexts } from '../tapes/matching/matchKey';
import { cutAlike, isContinued } from '../tapes/session/joinDeltas';
import { toPairingKey } from '../tapes/session/pairingKey';
import { fillHoles, fitsHoles, type HoleValues, withHoleValues } from '../tapes/templates/fillHoles';
import {
  ANY_ID,
  freshIds,
  type LetteredRequest,
  lettersIn,
  requestAnsweredBy,
  requestsIn,
  withFreshIds,
  withLetters,
  withRequestIds,
} from '../tapes/templates/requestLetters';
import { isLeftOut, type Note, type Score } from './score';

/** A line of the server: its value with letters in place of ids, and the frame at which it came. */
export type Received = { frame: number; value: unknown };

/** The state of a session. */
export type Play = {
  readonly score: Score;
  /** Counts the client's notes that were sent. */
  readonly sent: number;
  /** The server's notes that have not come, by row of the score. */
  readonly expected: readonly (readonly Note[])[];
  /** What has come, by row of the score. */
  readonly received: readonly (readonly Received[])[];
  readonly clientRequests: readonly LetteredRequest[];
  readonly serverRequests: readonly LetteredRequest[];
  /** The values of numbered holes. */
  readonly known: HoleValues;
  /** How many lines of the server were no surplus: they play a note, continue one, or are left out of the comparison. */
  readonly counted: number;
};

/** A session before anything was played. */
export const openPlay = (score: Score): Play => ({
  score,
  sent: 0,
  expected: score.server.map(({ notes }) => notes),
  received: score.server.map(() => []),
  clientRequests: [],
  serverRequests: [],
  known: new Map(),
  counted: 0,
});

/** The play after a line of the server. A blank line is none. */
export const receive = (play: Play, line: string, frame: number): Play => {
  if (line.trim() === '') return play;
  const parsed = parseLine(line);
  const value = withLetters(parsed, play.clientRequests, play.clientRequests);
  const clientRequests = parsed.messages.reduce(withAnswered, play.clientRequests);
  if (play.score.masks && isLeftOut(play.score, toParsed(value)))
    return { ...play, clientRequests, counted: play.counted + 1 };
  const more = goesOn(play, value);
  const { row, note, known } = more ?? matchNote(play, value);
  return {
    ...play,
    known,
    clientRequests,
    counted: play.counted + (more === undefined && note === undefined ? 0 : 1),
    serverRequests: note ? [...play.serverRequests, ...requestsIn(parsed, note.letter)] : play.serverRequests,
    expected: play.expected.map((notes, i) => (i === row ? notes.filter((one) => one !== note) : notes)),
    received: play.received.map((values, i) => (i === row ? [...values, { frame, value }] : values)),
  };
};

type Messages = Pick<ParsedLine, 'messages'>;

const toParsed = (value: unknown): Messages =>
  typeof value === 'string' ? parseLine(value) : { messages: messagesIn(value) };

const withAnswered = (requests: readonly LetteredRequest[], message: TapeMessage): readonly LetteredRequest[] => {
  const answered = message.kind === 'response' && message.id !== null && requestAnsweredBy(requests, message.id);
  return answered ? requests.map((one) => (one === answered ? { ...one, open: false } : one)) : requests;
};

/** The row that a message belongs to, the note that it plays, if any, and what is known of holes then. */
type Match = { row: number; note?: Note; known: HoleValues };

/** The row whose last delta a message continues; such a message plays no note of its own. */
const goesOn = ({ received, known }: Play, value: unknown): Match | undefined => {
  const row = received.findIndex((values) => isContinued(values, value));
  return row === -1 ? undefined : { row, known };
};

/** How many notes ahead of its place in a row a message may come. */
const MAX_AHEAD = 64;

/** The note that a message plays: the first that it fits, otherwise the first of its kind, whose holes are filled if they fit. */
const matchNote = ({ score, expected, known }: Play, value: unknown): Match => {
  const toCompared = score.masks ? parseTexts : (one: unknown) => one;
  const candidates = expected
    .flatMap((notes, row) => notes.slice(0, MAX_AHEAD).map((note) => ({ row, note })))
    .sort((a, b) => a.note.frame - b.note.frame);
  const kind = kindOf(toParsed(value));
  const [first, ...others] = candidates.filter(({ note }) => kindOf(note.parsed) === kind);
  const learned = new Map(known);
  if (first === undefined) return { row: Math.max(0, rowOfKind(score, kind)), known };
  const fits = (written: unknown): boolean => fitsHoles(toCompared(written), toCompared(value), learned);
  const fitting = [first, ...others].find(({ note }) => fits(note.value) || fits(cutAlike(note.value, value)[0])); // the whole, or its first delta
  if (fitting === undefined) fillHoles(toCompared(first.note.value), toCompared(value), learned);
  return { ...(fitting ?? first), known: learned };
};

const rowOfKind = ({ server }: Score, kind: string): number =>
  server.findIndex(({ notes }) => notes.some(({ parsed }) => kindOf(parsed) === kind));

const kindOf = ({ messages }: Messages): string => messages.map((message) => toPairingKey(message).key).join('\n');

/** Whether all of the server's notes before a frame have come. */
export const hasReceivedBefore = ({ expected }: Play, frame: number): boolean =>
  Math.min(...expected.map(([first]) => first?.frame ?? Number.POSITIVE_INFINITY)) >= frame;

/** The client's next note as a line, and the play after it; undefined when what it refers to has not come. */
export const sendNext = (play: Play): { play: Play; line: string } | undefined => {
  const note = play.score.client.notes[play.sent];
  const line = note && toLine(play, note);
  if (line === undefined) return undefined;
  const parsed = parseLine(line);
  return {
    line,
    play: {
      ...play,
      sent: play.sent + 1,
      clientRequests: [...play.clientRequests, ...requestsIn(parsed, note?.letter ?? '')],
      serverRequests: parsed.messages.reduce(withAnswered, play.serverRequests),
    },
  };
};

/** The line of a note, with ids in place of letters and values in place of holes. */
const toLine = ({ clientRequests, serverRequests, known }: Play, { value, parsed }: Note): string | undefined => {
  const { answers, names } = lettersIn(parsed);
  const found = [
    ...answers.map((letter) => serverRequests.find((one) => one.open && one.letter === letter)),
    ...names.map((letter) => clientRequests.findLast((one) => one.letter === letter)),
  ];
  if (!found.every((one) => one !== undefined)) return undefined;
  const withIds = parsed.line.includes(ANY_ID)
    ? parseLine(JSON.stringify(withFreshIds(value, freshIds(clientRequests))))
    : parsed;
  return withHoleValues(withRequestIds(withIds, new Map(found.map(({ letter, id }) => [letter, id]))), known);
};
