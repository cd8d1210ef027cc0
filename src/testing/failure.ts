/** Owns the words and the picture of a session that was not played as it is written. */
import { diffJson, drawComparison, inWords } from '../transcript';

/** A marble as it is compared and drawn; `phase` is the name of the part of the session that it is in. */
export type Item = { frame: number; letter: string; value: unknown; label: string; phase?: string };

/** What is drawn; `at` is the index of the first difference in both runs. */
export type Drawing = { client?: Item[]; expected: Item[]; actual: Item[]; at: number; cut: 'start' | 'nowhere' };

/** A session, or a stream, was not what its marbles say. `expected` and `actual` are the two lines of marbles. */
export class MarbleError extends Error {
  override name = 'MarbleError';
}

/** What the end of a line is called. */
export const END = 'the end';

const SIDES = ['expected', 'actual'] as const;
const MAX_VALUES = 10;
const MAX_CHARS = 400;

/**
 * The lines with the first difference marked, and that difference in JSON.
 *   client    i-n-c-----|
 *   expected  -I----Q-C-|
 *   actual    -I----Q-?-|
 *                     ^
 */
export const toFailure = (drawing: Drawing): string => {
  const { client, expected, actual, at, cut } = drawing;
  const [before, now] = [expected[at], actual[at]];
  const rows = [
    ...(client ? [{ name: 'client', items: client }] : []),
    { name: SIDES[0], items: expected },
    { name: SIDES[1], items: actual },
  ];
  const base = cut === 'start' ? Math.min(...rows.flatMap(({ items }) => items.map(({ frame }) => frame))) : 0;
  const differsAt = Math.min(...[before, now].flatMap((one) => (one ? [one.frame] : []))) - base;
  const drawn = drawComparison(
    rows.map(({ name, items }) => ({
      name,
      marks: items.map(({ frame, letter }) => ({ frame: frame - base, symbol: letter })),
      end: '',
    })),
    differsAt,
    cut,
  );
  const phase = before?.phase || now?.phase || '';
  return [
    ...(phase === '' ? [] : [`in ${phase}:`]),
    ...[...drawn, ...toWords(before, now)].map((line) => `  ${line}`),
  ].join('\n');
};

const toWords = (before: Item | undefined, now: Item | undefined): string[] => {
  const head = `expected ${toName(before)}; actual ${toName(now)}`;
  const [said, ...both] = [before, now].filter((one) => one !== undefined && one.label !== END);
  if (both.length === 0) return [head, ...(said ? [shortened(said.value)] : [])];
  if (before === undefined || now === undefined) return [head];
  const values = diffJson(before.value, now.value, 'message');
  if (values.length === 0) return [`${head}, at ${before.frame} ms and at ${now.frame} ms`];
  const more = values.length > MAX_VALUES ? [`… and ${values.length - MAX_VALUES} more`] : [];
  return [head, ...values.slice(0, MAX_VALUES).map(inWords(SIDES)), ...more];
};

const toName = (item: Item | undefined): string => (item ? `${item.letter} (${item.label})` : 'nothing');

const shortened = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
};
