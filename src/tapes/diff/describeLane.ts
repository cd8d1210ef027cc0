/** Describes in lines how one lane differs, and names the places that differ, also if they differ in another way in each of several runs. */
import { flowTo } from '../../io/terminal/width';
import { type Difference, differenceLines, diffJson, pairUp } from '../../streams/marbles/diffJson';
import type { Marble } from '../../streams/marbles/drawMarbles';
import { DEFAULT_COLUMNS, drawComparison, EXCERPT } from '../../streams/marbles/drawMismatch';
import { LETTERS } from '../../streams/marbles/letters';
import { toVisible } from '../../streams/text/visible';
import { toCanonical } from '../matching/matchKey';
import type { LaneResult } from './compare';
import type { Compared } from './toComparer';

const MAX_VALUES = 10;
const SIDES = ['recorded', 'now'] as const;
/** The columns by which reports are indented. */
const INDENT = 2;

/**
 * The marbles of both sides, where they differ first, and which values differ; no lines for a lane without a difference. No control character of a
 * tape reaches the terminal.
 * @param columns of the terminal
 */
export const describeLane = (result: LaneResult, columns: number = DEFAULT_COLUMNS): string[] =>
  linesOf(result, columns).map(toVisible);

const linesOf = (result: LaneResult, columns: number): string[] => {
  const { difference, recorded, now } = result;
  if (difference === undefined) return [];
  const { at, values, reason } = difference;
  const more = values.length > MAX_VALUES ? [`… and ${values.length - MAX_VALUES} more`] : [];
  const shown = [
    ...values
      .slice(0, MAX_VALUES)
      .map(withTexts)
      .flatMap(differenceLines(SIDES, columns - INDENT)),
    ...more,
  ];
  if (reason !== undefined) return [reason, ...shown];
  return [...toMarbles(result, columns), `recorded: ${placeOf(recorded[at])}; now: ${placeOf(now[at])}`, ...shown];
};

/** Output of a command as the text that it is: events have it as base64. */
const withTexts = (difference: Difference): Difference => {
  if (!difference.path.endsWith('.chunk')) return difference;
  const [recorded, now] = [toOutput(difference.recorded), toOutput(difference.now)];
  return recorded === undefined || now === undefined ? difference : { ...difference, recorded, now };
};

/** The text of base64; undefined if it is no base64 or no text. */
const toOutput = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return undefined;
  const bytes = Buffer.from(value, 'base64');
  const text = bytes.toString();
  return bytes.toString('base64') === value && !text.includes('\ufffd') ? text : undefined;
};

const placeOf = (one: { lineNumber: number; label: string } | undefined): string =>
  one ? `${one.label} (line ${one.lineNumber})` : 'nothing';

/** The name of a lane: its request, and the line of the request on the tape. */
export const titleOf = ({ label, lineNumber }: LaneResult): string =>
  toVisible(lineNumber === 0 ? label : `${label} (line ${lineNumber})`);

/**
 * The first difference of a lane in marbles. A letter is one message; if a side lacks a message, it has a gap there.
 *   recorded  -a-b-c-|
 *   now       -a-d-c-|
 *                ^
 * @param columns of the terminal
 */
export const toMarbles = ({ recorded, now, difference }: LaneResult, columns: number = DEFAULT_COLUMNS): string[] => {
  if (difference === undefined || difference.reason !== undefined) return [];
  const from = Math.max(0, difference.at - EXCERPT.before);
  const to = difference.at + EXCERPT.after;
  const pairs = pairUp(recorded.slice(from, to), now.slice(from, to), (a, b) => a.text === b.text);
  const sides = { recorded: pairs.map(({ before }) => before), now: pairs.map((pair) => pair.now) };
  const letters = toLetters([...sides.recorded, ...sides.now]);
  const rowOf = (name: 'recorded' | 'now', length: number) => ({
    name,
    marbles: sides[name].flatMap((one, i): Marble[] =>
      one ? [{ frame: frameOf(i), symbol: letters.get(one.text)?.letter ?? '?' }] : [],
    ),
    end: length > to ? '-…' : '-|',
  });
  const rows = [rowOf('recorded', recorded.length), rowOf('now', now.length)];
  const at = pairs.findIndex((pair) => pair.before?.text !== pair.now?.text);
  const place = { frame: frameOf(at), cut: from > 0 ? 'start' : 'nowhere', columns } as const;
  const legend = [...letters.values()].map(({ letter, label }) => `${letter} ${label}`);
  return [...drawComparison(rows, place), ...flowTo(legend, columns - INDENT, ', ')];
};

type Letter = { letter: string; label: string };

const toLetters = (lines: readonly (Compared | undefined)[]): ReadonlyMap<string, Letter> => {
  const labels = new Map(lines.flatMap((one) => (one ? [[one.text, one.label] as const] : [])));
  return new Map([...labels].map(([text, label], i) => [text, { letter: LETTERS[i] ?? '?', label: toVisible(label) }]));
};

const frameOf = (i: number): number => 2 * i + 1;

type Place = {
  /** Its name in the session. */
  id: string;
  /** Its name also in a shortened session. */
  name: string;
  /** The index of the line in its lane. */
  at: number;
  /** What differs there. */
  value?: Difference;
};

/** All places at which a result differs, in order. */
export const placesOf = (result: LaneResult): Place[] => {
  const { label, difference, recorded, now } = result;
  if (difference === undefined) return [];
  const place = (at: number, text: string, value?: Difference): Place => {
    return { id: `${titleOf(result)}: ${text}`, name: `${label}: ${text}`, at, ...(value && { value }) };
  };
  if (difference.reason !== undefined) return [place(0, difference.reason)];
  return Array.from({ length: Math.max(recorded.length, now.length) }, (_, at) => at).flatMap((at) => {
    const [before, after] = [recorded[at], now[at]];
    if (before === undefined || after === undefined) return [place(at, `a message ${before ? 'less' : 'more'}`)];
    if (before.text === after.text) return [];
    return diffJson(before.value, after.value, 'message').map((value) => place(at, value.path, value));
  });
};

/** The ids of places that differ in another way, or not at all, in some run of a session. */
export const unstablePlaces = (runs: readonly (readonly LaneResult[])[]): ReadonlySet<string> => {
  const found = runs.map(
    (results) => new Map(results.flatMap(placesOf).map(({ id, value }) => [id, toCanonical(value?.now ?? null)])),
  );
  const ids = new Set(found.flatMap((places) => [...places.keys()]));
  return new Set([...ids].filter((id) => found.some((places) => places.get(id) !== found[0]?.get(id))));
};

/** The ids of all places at which two recordings of one behaviour differ, which may differ in a third. */
export const learnPlaces = (results: readonly LaneResult[]): ReadonlySet<string> =>
  new Set(results.flatMap(placesOf).map(({ id }) => id));

/** The results without the differences at these places. */
export const withoutPlaces = (results: readonly LaneResult[], ids: ReadonlySet<string>): LaneResult[] =>
  results.map((result) => {
    const { difference, ...same } = result;
    if (difference === undefined) return same;
    const rest = placesOf(result).filter(({ id }) => !ids.has(id));
    const [first] = rest;
    if (first === undefined) return same;
    if (difference.reason !== undefined) return result;
    const values = rest.filter(({ at }) => at === first.at).flatMap(({ value }) => value ?? []);
    return { ...same, difference: { at: first.at, values: first.value ? values : difference.values } };
  });
