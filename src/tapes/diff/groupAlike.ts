/** Groups results that differ in the same way, as one cause often shows in many of them. */
import { toVisible } from '../../io/log/toVisible';
import { flowTo } from '../../io/terminal/width';
import { counted } from '../../streams/text/counted';
import { toCanonical } from '../matching/matchKey';
import { groupBy } from '../session/groupBy';
import type { LaneResult } from './compare';

/** The results that differ: those that have the same values before and now at the same paths, whatever the index of an item, are one group. */
export const groupAlike = (results: readonly LaneResult[]): (readonly [LaneResult, ...LaneResult[]])[] =>
  [...groupBy(results, keyOf).values()] as [LaneResult, ...LaneResult[]][];

const keyOf = ({ label, lineNumber, difference, recorded, now }: LaneResult): string => {
  if (difference === undefined || lineNumber === 0) return toCanonical([label, lineNumber]);
  const { at, reason, values } = difference;
  const places = values.map((value) => toCanonical({ ...value, path: value.path.replace(INDEX, '[*]') }));
  return toCanonical([reason, recorded[at]?.label, now[at]?.label, [...new Set(places)].toSorted()]);
};

const INDEX = /\[\d+\]/g;

/** More lines than these are only counted. */
const MAX_LINES = 100;

/** The further results of a group by their labels, with their lines on the tape; no lines where there are none. */
export const describeAlike = (others: readonly LaneResult[], columns: number): string[] => {
  if (others.length === 0) return [];
  const shown = others.slice(0, MAX_LINES);
  const places = [...groupBy(shown, ({ label }) => label)].map(([label, results]) => toPlaces(label, results));
  const more = others.length - shown.length;
  const words = [...places, ...(more > 0 ? [[`and ${more} more`]] : [])].flatMap(withComma);
  return flowTo([`the same in ${counted(others.length, 'more result')}:`, ...words], columns, ' ').map(toVisible);
};

/** The words of a label and its lines, between which a line may be broken. */
const toPlaces = (label: string, results: readonly LaneResult[]): string[] => {
  const [first, ...rest] = results.map(({ lineNumber }, i) => `${lineNumber}${i === results.length - 1 ? ')' : ','}`);
  return [`${label} (${results.length === 1 ? 'line' : 'lines'} ${first}`, ...rest];
};

const withComma = (words: readonly string[], i: number, all: readonly unknown[]): string[] =>
  words.map((word, at) => (at === words.length - 1 && i < all.length - 1 ? `${word},` : word));
