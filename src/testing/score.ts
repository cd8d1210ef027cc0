/** Reads the marbles of a spec: which message each side sends, and when. */
import type { TestMessage } from 'rxjs/internal/testing/TestMessage';
import { TestScheduler } from 'rxjs/testing';
import { type ParsedLine, parseLine } from '../protocol/jsonrpc/parseLine';
import { ALL_MASKS, hidesMessage } from '../tapes/matching/mask';
import { type Comparison, type Phase, ScoreError, type Values } from './phase';

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
  readonly compare: Comparison;
};

const EMPTY: Score = { client: { notes: [] }, server: [], frames: 0, values: {}, compare: 'exactly' };

/** Phases one after another, as one. Throws ScoreError for marbles that cannot be played. */
export const toScore = (phases: readonly Phase[], compare: Comparison = 'exactly'): Score => {
  if (phases.length === 0) throw new ScoreError('there is nothing to play: pass at least one phase');
  const score = phases.reduce(addPhase, { ...EMPTY, compare });
  return compare === 'exactly' ? score : { ...score, server: score.server.map(withoutProgress) };
};

const withoutProgress = (part: Part): Part => ({
  ...part,
  notes: part.notes.filter(({ parsed }) => !isProgress(parsed)),
});

/** Whether a line is progress, of which a faster server reports less. */
export const isProgress = ({ messages: [message] }: ParsedLine): boolean =>
  message !== undefined && 'method' in message && hidesMessage(ALL_MASKS, message.method);

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
