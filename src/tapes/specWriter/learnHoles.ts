/** Learns the holes of a behaviour from several recordings: each value that differs between them gets a hole with a name. */

import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { toMask } from '../matching/mask';
import { toNamedHole } from '../templates/namedHoles';
import { alignTexts } from './alignTexts';
import { freeName } from './toHoles';
import type { LanedLine } from './toLanes';
import type { PairedLine } from './zipLeaves';
import { type Place, zipLeaves } from './zipLeaves';

/** A value that differs: its place, its text in each recording, the name that suits its hole, and who sends it. */
type Differing = { at: string; texts: readonly string[]; label: string; side: LanedLine['side'] };

/** The name of the hole at each place; a place without one keeps the value of the first recording. */
type Names = ReadonlyMap<string, string>;

/**
 * The lines of the first recording with holes. A value that the server issues has one hole everywhere, also where the client
 * sends it; a value of the client's own stays as it is, and so does its echo.
 */
export const learnHoles = (lines: readonly PairedLine[]): LanedLine[] => {
  const names = nameHoles(lines.flatMap(differingIn));
  return lines.map((paired, row) => withHoles(paired, row, names));
};

/** Values of a line in each recording; a line that is not JSON is a text. */
const valuesOf = ({ line, others }: PairedLine): unknown[] =>
  [line, ...others].map((one) => one.line.value ?? one.line.line);

const isEqual = (values: readonly unknown[]): boolean => values.every((value) => value === values[0]);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const isText = (value: unknown): value is string => typeof value === 'string';

/** What replaces a leaf, or words in a text. @param whole gives the value in place of the leaf @param wordAt gives the text in place of a word */
const fillLeaf = (
  leaves: readonly unknown[],
  whole: () => unknown,
  wordAt: (words: readonly string[], nth: number, label: string) => string,
): unknown => {
  if (isEqual(leaves)) return leaves[0];
  const parts = leaves.every(isText) ? alignTexts(leaves) : undefined;
  if (parts === undefined) return whole();
  return parts.map((part, nth) => (isText(part) ? part : wordAt(part.words, nth, part.label))).join('');
};

const placeOf = (row: number, place: Place): string => JSON.stringify([row, ...place]);

const differingIn = (paired: PairedLine, row: number): Differing[] => {
  const { side } = paired.line;
  const found: Differing[] = [];
  zipLeaves(valuesOf(paired), [], (leaves, place) => {
    const name = place.findLast(isText) ?? 'line';
    const at = placeOf(row, place);
    const add = (one: { at: string; texts: readonly string[]; label: string }): string => {
      found.push({ ...one, side });
      return '';
    };
    return fillLeaf(
      leaves,
      () => add({ at, texts: leaves.map(textOf), label: name }),
      (texts, nth, label) => add({ at: `${at} ${nth}`, texts, label: label || name }),
    );
  });
  return found;
};

const mask = toMask({ names: ['time', 'duration'], own: [] });
const EPOCH = /^1\d{9}(?:\d{3})?(?:\.\d+)?$/;

const isClock = (text: string, label: string): boolean =>
  EPOCH.test(text) || textOf(mask({ [label]: text })) !== textOf({ [label]: text });

/** A short text, a time and a duration may come twice by chance. */
const isDistinct = ({ texts, label }: Differing): boolean =>
  texts.some((text) => text.length >= 3) &&
  !texts.every((text) => /^(?:true|false|null)$/.test(text) || isClock(text, label));

const nameHoles = (differing: readonly Differing[]): Names => {
  const sent = new Set(differing.flatMap(({ side, texts }) => (side === 'client' ? [JSON.stringify(texts)] : [])));
  const names = new Map<string, string>();
  const shared = new Map<string, string>();
  const own = new Set<string>();
  const used = new Set<string>();
  for (const one of differing) {
    const { at, label, side } = one;
    const key = JSON.stringify(one.texts);
    const known = shared.get(key);
    if (known !== undefined) names.set(at, known);
    else if (side === 'client') own.add(key);
    else if (!own.has(key) || !isDistinct(one)) {
      const name = freeName(label, used);
      used.add(name);
      names.set(at, name);
      if (!own.has(key) && (isDistinct(one) || sent.has(key))) shared.set(key, name);
    }
  }
  return names;
};

const withHoles = (paired: PairedLine, row: number, names: Names): LanedLine => {
  const { line: one } = paired;
  if (one.side === 'endOfInput') return one;
  const value = zipLeaves(valuesOf(paired), [], (leaves, place) => {
    const at = placeOf(row, place);
    const holeAt = (where: string, kind: 'string' | 'number' | 'any', first: unknown): unknown => {
      const name = names.get(where);
      return name === undefined ? first : toNamedHole(kind, name);
    };
    return fillLeaf(
      leaves,
      () => holeAt(at, kindOf(leaves), leaves[0]),
      (words, nth) => String(holeAt(`${at} ${nth}`, words.every(isNumeral) ? 'number' : 'string', words[0])),
    );
  });
  const text = isText(value) ? value : JSON.stringify(value);
  const isChanged = text !== (one.line.value === undefined ? one.line.line : JSON.stringify(one.line.value));
  return isChanged ? ({ ...one, line: { ...one.line, ...parseLine(text) } } as LanedLine) : one;
};

const isNumeral = (text: string): boolean => /^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text);

const kindOf = (leaves: readonly unknown[]): 'string' | 'number' | 'any' => {
  if (leaves.every(isText)) return 'string';
  return leaves.every((leaf) => typeof leaf === 'number') ? 'number' : 'any';
};
