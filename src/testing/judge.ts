/** Compares a session that was played with its marbles: no text when it is as written, else a drawing of the difference. */
import { labelOf, messagesIn, parseLine, type TapeMessage } from '../protocol/jsonrpc/parseLine';
import { referencesOf, withoutRequestNames } from '../protocol/jsonrpc/requestNames';
import { pairUp } from '../streams/marbles/diffJson';
import { type ComparedMarble, drawMismatch, END_LABEL, EXCERPT, type Mismatch } from '../streams/marbles/drawMismatch';
import { toVisible } from '../streams/text/visible';
import { pairIds } from '../tapes/diff/bindIds';
import { laneOf } from '../tapes/diff/lanes';
import { type Masks, toMask } from '../tapes/matching/mask';
import { parseTexts } from '../tapes/matching/matchKey';
import { cutAlike, isDelta, joinDeltas } from '../tapes/session/joinDeltas';
import { isCancel } from '../tapes/session/pairCalls';
import { fillHoles, fitsHoles } from '../tapes/templates/fillHoles';
import { terminalColumns } from './marbles';
import type { Play, Received } from './play';
import type { End, Part, Score } from './score';

/** `order`: columns are the order of messages. `time`: a column is a millisecond. */
export type Meaning = 'order' | 'time';

/** The rows of the server that differ from the score, each drawn; of those outside of requests the first. @param end how the server ended, if it did */
export const judge = (play: Play, end: End | undefined, meaning: Meaning): string[] => {
  const isSame = sameBy(play, meaning);
  const drawn = toParts(play, meaning).flatMap(({ part, received, isFree }) => {
    const written = [
      ...part.notes.map((note) => toItem({ ...note, value: comparedOf(play, note.value) }, note.letter)),
      ...toEnd(mayStay(play, part.end, end) ? undefined : part.end),
    ];
    const actual = [...received, ...toEnd(part.end && end)];
    const expected = meaning === 'order' ? inAnyOrder(written, actual, isSame) : written;
    const longest = Math.max(expected.length, actual.length);
    const at = Array.from({ length: longest }, (_, n) => n).find((n) => !isSame(expected[n], actual[n]));
    return at === undefined
      ? []
      : [{ isFree, text: drawMismatch(toDrawing({ play, expected, actual, at, isSame, meaning }), terminalColumns()) }];
  });
  const free = drawn.find(({ isFree }) => isFree);
  return drawn.filter((one) => !one.isFree || one === free).map(({ text }) => text);
};

/** As `codex-rx replay` compares, a server that ended well on the tape may stay until it is ended. */
const mayStay = ({ score }: Play, written: End | undefined, now: End | undefined): boolean =>
  score.masks !== undefined && written?.sign === '|' && now === undefined;

/** What is compared with each other, in order. */
type Rows = { part: Part; received: ComparedMarble[]; isFree?: boolean };

/** The rows, with what was received for each; with time there is one row, as each message has its own frame. */
const toParts = (play: Play, meaning: Meaning): Rows[] => {
  const { score, received } = play;
  const toRows = ({ part, all, isFree }: Omit<Rows, 'received'> & { all: readonly Received[] }): Rows => ({
    part,
    isFree,
    received: all.map((one) => toItem({ ...one, value: comparedOf(play, one.value) }, '?')),
  });
  if (meaning === 'order') {
    const rows = score.server.map((part, i) => ({ part, all: received[i] ?? [] }));
    const lanes = score.masks ? rows.flatMap(splitByLane) : rows;
    return lanes.map(({ part, all, ...lane }) => toRows({ ...lane, part, all: joinDeltas(all) }));
  }
  const notes = score.server.flatMap((part) => part.notes).sort((a, b) => a.frame - b.frame);
  const ends = score.server.flatMap((part) => part.end ?? []);
  const all = received.flat().sort((a, b) => a.frame - b.frame);
  return [toRows({ part: { notes, end: ends.at(-1) }, all })];
};

/** As `codex-rx replay` compares: a line that belongs to no request may come before or after a line of a request, or of another method. */
const splitByLane = ({ part, all }: { part: Part; all: readonly Received[] }) =>
  [...new Set([OF_REQUESTS, ...[...part.notes, ...all].map(rowOf)])].map((lane) => ({
    part: { notes: part.notes.filter((one) => rowOf(one) === lane), ...(lane === OF_REQUESTS && { end: part.end }) },
    all: all.filter((one) => rowOf(one) === lane),
    isFree: lane !== OF_REQUESTS,
  }));

const OF_REQUESTS = 'of requests';

const rowOf = ({ value }: { value: unknown }): string => {
  const parsed = parseLine(typeof value === 'string' ? value : JSON.stringify(value));
  return laneOf(parsed, parsed.messages.some(isOfRequest) ? OF_REQUESTS : undefined);
};

/** Methods by which an agent works on a prompt, whose session they name. Source: Agent Client Protocol 1. */
const OF_PROMPT = /^(?:session|fs|terminal)\//;

const isOfRequest = (message: TapeMessage): boolean =>
  referencesOf(message).length > 0 || ('method' in message && OF_PROMPT.test(message.method));

const toItem = (one: { frame: number; value: unknown; phase?: string }, letter: string): ComparedMarble => {
  const { frame, value, phase } = one;
  return { frame, symbol: letter, value, label: toVisible(labelOfValue(value)), phase };
};

const labelOfValue = (value: unknown): string => {
  const [message] = typeof value === 'string' ? parseLine(value).messages : messagesIn(value);
  if (message?.kind === 'response') return 'error' in message.body ? 'an error' : 'an answer';
  return labelOf(message);
};

const toEnd = (end: End | undefined): ComparedMarble[] =>
  end === undefined ? [] : [{ frame: end.frame, symbol: end.sign, value: end.sign, label: END_LABEL }];

/** Learns the values of numbered holes as they are compared. */
const sameBy = ({ known: learned, score }: Play, meaning: Meaning): IsSame => {
  const known = new Map(learned);
  const cut = score.masks ? cutByCancels(score) : [];
  return (expected, actual) => {
    if (expected === undefined || actual === undefined) return false;
    if (meaning === 'time' && expected.frame !== actual.frame) return false;
    if (fitsHoles(expected.value, actual.value, known)) return true;
    if (score.masks === undefined) return false;
    const filled = fillHoles(expected.value, actual.value, new Map(known));
    const values = cut.includes(expected.frame) ? cutAlike(filled, actual.value) : [filled, actual.value];
    const [written, now] = values.map(withoutRun(score.masks)) as [unknown, unknown];
    const { pairs, isAll } = pairIds(written, now);
    return isAll && (pairs.length === 0 || score.masks.names.includes('id')); // new ids in place of old ones
  };
};

/** The frames of the last texts before the client cancels a request: they count as far as they come. */
const cutByCancels = ({ client, server }: Score): number[] => {
  const cancels = client.notes.filter(({ parsed }) => parsed.messages.some(isCancel));
  return cancels.flatMap((cancel) =>
    server.flatMap(
      ({ notes }) => notes.findLast(({ frame, value }) => frame < cancel.frame && isDelta(value))?.frame ?? [],
    ),
  );
};

/** What is compared of a value: as `codex-rx replay` compares, JSON in texts is JSON. */
const comparedOf = ({ score }: Play, value: unknown): unknown => (score.masks ? parseTexts(value) : value);

/** Without what differs from run to run. */
const withoutRun = (masks: Masks) => {
  const mask = toMask(masks);
  return (value: unknown): unknown => mask(withoutRequestNames(value));
};

type Judged = {
  play: Play;
  expected: ComparedMarble[];
  actual: ComparedMarble[];
  at: number;
  isSame: IsSame;
  meaning: Meaning;
};

/** Only the phase of the difference is drawn, with its own letters. */
const toDrawing = ({ play, expected, actual, at, isSame, meaning }: Judged): Mismatch => {
  const phase = expected[at]?.phase ?? expected.findLast((one) => one.phase !== undefined)?.phase;
  const first = expected.findIndex((one) => one.phase === phase);
  const from = Math.max(0, first, at - EXCERPT.before);
  const behind = expected.findIndex((one, i) => i > at && one.phase !== undefined && one.phase !== phase);
  const to = Math.min(behind === -1 ? Number.POSITIVE_INFINITY : behind, at + EXCERPT.after);
  const [before, now] = [expected.slice(from, to), actual.slice(from, to)];
  const letterOf = toLetter(play, phase);
  const shown = meaning === 'order' ? inPlace(before, now, isSame) : now;
  const shownOf = play.score.masks ? withoutRun(play.score.masks) : (value: unknown) => value;
  const value = shownOf(fillHoles(expected[at]?.value, actual[at]?.value, new Map(play.known)));
  return {
    client: toItems(play, {
      from: from > Math.max(0, first) ? (before[0]?.frame ?? 0) : 0,
      to: before.at(-1)?.frame,
      phase,
    }).filter(({ label }) => behind === -1 || label !== END_LABEL),
    expected: before.map((one, i) => (i === at - from ? { ...one, value } : one)),
    actual: shown.map((one) => ({
      ...one,
      symbol: one.symbol === '?' ? letterOf(one) : one.symbol,
      value: shownOf(one.value),
    })),
    at: at - from,
    cut: from > 0 ? 'start' : 'nowhere',
  };
};

/** The letter of a value in a phase; a letter of another phase may stand for another value. */
const toLetter = (play: Play, phase: string | undefined): ((one: ComparedMarble) => string) => {
  const { score, known } = play;
  const own = score.server.flatMap(({ notes }) => notes).filter((note) => note.phase === phase);
  const letters = [
    ...own.map(({ letter, value }) => [letter, value] as const),
    ...Object.entries(score.values).filter(([letter]) => own.every((note) => note.letter !== letter)),
  ];
  return ({ value }) =>
    letters.find(([, written]) => fitsHoles(comparedOf(play, written), value, new Map(known)))?.[0] ?? '?';
};

type Excerpt = { from: number; to: number | undefined; phase: string | undefined };

const toItems = ({ score }: Play, { from, to = Number.POSITIVE_INFINITY, phase }: Excerpt): ComparedMarble[] => {
  const { notes, end } = score.client;
  const items = [...notes.map((note) => toItem(note, note.letter)), ...toEnd(end)];
  return items.filter(
    (item) =>
      item.frame >= from &&
      item.frame <= Math.max(to, score.frames) &&
      (item.phase === undefined || phase === undefined || item.phase === phase),
  );
};

/** Whether a received marble is the expected one. */
export type IsSame = (expected: ComparedMarble | undefined, actual: ComparedMarble | undefined) => boolean;

/** Marbles of one frame may come in any order: they are put into the order in which they came. */
export const inAnyOrder = (
  expected: ComparedMarble[],
  actual: readonly ComparedMarble[],
  isSame: IsSame,
): ComparedMarble[] => {
  const ordered: ComparedMarble[] = [];
  const rest = [...expected];
  while (rest.length > 0) {
    const together = rest.filter(({ frame }) => frame === rest[0]?.frame);
    const found = together.find((one) => isSame(one, actual[ordered.length])) ?? (rest[0] as ComparedMarble);
    rest.splice(rest.indexOf(found), 1);
    ordered.push(found);
  }
  return ordered;
};

/** The marbles that were received, at the frames of the expected ones; an unexpected marble comes directly after its predecessor. */
export const inPlace = (
  expected: readonly ComparedMarble[],
  actual: readonly ComparedMarble[],
  isSame: IsSame,
): ComparedMarble[] => {
  let frame = expected[0]?.frame ?? 0;
  return pairUp(expected, actual, isSame).flatMap(({ before, now }) => {
    frame = before ? before.frame : frame + 0.001;
    return now ? [{ ...now, frame }] : [];
  });
};
