/** Reads the marbles of a spec: which message each side sends, and when. */
import type { TestMessage } from 'rxjs/internal/testing/TestMessage';
import { TestScheduler } from 'rxjs/testing';
import { labelOf, type ParsedLine, parseLine } from '../protocol/jsonrpc/parseLine';
import { isIgnored } from '../tapes/diff/lanes';
import { hidesMessage, type Masks } from '../tapes/matching/mask';
import { masksOf, NO_WORDS, problemOfMasks } from '../tapes/matching/maskWords';
import { serverLabelOf } from '../tapes/session/pairingKey';
import { lettersIn } from '../tapes/templates/requestLetters';
import { type Comparison, type MaskLists, type Phase, ScoreError, type Values } from './phase';

/** One marble. `parsed` is its message as a line. */
export type Note = { frame: number; letter: string; value: unknown; parsed: ParsedLine; phase: string };

/** How a side ends: `|` with exit code 0, `#` with an error. */
export type End = { frame: number; sign: '|' | '#' };

/** A line of marbles. */
export type Part = { readonly notes: readonly Note[]; readonly end?: End };

/** A session as it is written. */
export type Score = {
  /** What is sent. */
  readonly client: Part;
  /** What is expected. */
  readonly server: readonly Part[];
  readonly frames: number;
  /** All letters. */
  readonly values: Values;
  /** Set if what is received is compared as in replay. */
  readonly masks?: Masks;
};

const EMPTY: Score = { client: { notes: [] }, server: [], frames: 0, values: {} };

/** Phases one after another, as one. Throws ScoreError for marbles that cannot be played. */
export const toScore = (phases: readonly Phase[], { compare, masks = {} }: How = {}): Score => {
  if (phases.length === 0) throw new ScoreError('There is nothing to play: pass at least one phase');
  const whole = phases.reduce(addPhase, EMPTY);
  if (compare !== 'asReplay') return whole;
  const words = { ...NO_WORDS, ...masks };
  const problem = problemOfMasks(words);
  if (problem !== undefined) throw new ScoreError(problem);
  const score = { ...whole, masks: masksOf(words) };
  const withoutIgnored = (part: Part): Part => ({
    ...part,
    notes: part.notes.filter(({ parsed }) => !isLeftOut(score, parsed)),
  });
  return { ...score, server: score.server.map(withoutIgnored) };
};

type How = { compare?: Comparison; masks?: MaskLists };

/** Whether a comparison as in replay leaves a line of the server out: by its method or its label, or with its request. */
export const isLeftOut = ({ masks, client }: Score, parsed: Pick<ParsedLine, 'messages'>): boolean => {
  const [message] = parsed.messages;
  if (masks === undefined || message?.kind === 'request') return false;
  if (message?.kind === 'notification' && hidesMessage(masks, message.method)) return true;
  if (isIgnored(masks, message, serverLabelOf(message))) return true;
  if (masks.ignored === undefined) return false;
  const { answers, names } = lettersIn(parsed);
  return client.notes.some(({ letter, parsed: { messages } }) => {
    const [request] = messages;
    return [...answers, ...names].includes(letter) && isIgnored(masks, request, labelOf(request));
  });
};

const addPhase = (score: Score, phase: Phase): Score => {
  const { name = '', client, server } = phase;
  const values = { ...score.values, ...phase.values };
  const rows = typeof server === 'string' ? [server] : server;
  const place = { from: score.frames, values, phase: name };
  return {
    ...score,
    client: addRow(score.client, client, place),
    server: Array.from({ length: Math.max(score.server.length, rows.length) }, (_, i) =>
      addRow(score.server[i] ?? { notes: [] }, rows[i] ?? '', place),
    ),
    frames: score.frames + Math.max(...[client, ...rows].map(framesOf)),
    values,
  };
};

/** Where a row of marbles belongs: its first frame, its phase, and what its letters stand for. */
type RowPlace = { from: number; values: Values; phase: string };

const addRow = (part: Part, row: string, place: RowPlace): Part =>
  parseRow(row).reduce<Part>(({ notes, end }, { frame, notification: { kind, ...rest } }) => {
    const at = place.from + frame;
    if (end) throw new ScoreError(`${row}: the row continues after its end at ${end.sign}: remove what follows it`);
    if (kind !== 'N') return { notes, end: { frame: at, sign: kind === 'C' ? '|' : '#' } };
    return { notes: [...notes, toNote(at, (rest as { value: string }).value, place)] };
  }, part);

const toNote = (frame: number, letter: string, { values, phase }: RowPlace): Note => {
  const value: unknown = values[letter];
  if (value === undefined) throw new ScoreError(`${letter} stands for nothing: add it to values`);
  const parsed = parseLine(typeof value === 'string' ? value : JSON.stringify(value));
  const isJsonText = typeof value === 'string' && typeof parsed.value !== 'string';
  return { frame, letter, value: isJsonText ? (parsed.value ?? value) : value, parsed, phase };
};

/** The marbles of a row. Only within `run` a column is a frame, as a millisecond is. */
const parseRow = (row: string): TestMessage[] => {
  if (/[\^!]/.test(row)) throw new ScoreError(`${row}: ^ and ! have no meaning here: remove them`);
  return new TestScheduler(() => {}).run(() => TestScheduler.parseMarbles(row, undefined, undefined, false, true));
};

/** How many frames a row takes. */
const framesOf = (row: string): number => {
  const last = parseRow(row).at(-1);
  if (last && last.notification.kind !== 'N') return last.frame + 1;
  return parseRow(`${row} |`).at(-1)?.frame ?? 0;
};
