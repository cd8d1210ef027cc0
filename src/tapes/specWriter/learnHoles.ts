/** Learns the holes of a behaviour from several recordings: each value that differs between them gets a hole with a name. */
import { isText } from '../../protocol/jsonrpc/json';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { TIME_SOURCE, toMask } from '../matching/mask';
import { toNamedHole } from '../templates/fillHoles';
import { type PairedLine, type Place, zipLeaves } from './pairRecordings';
import { freeName } from './toHoles';
import type { LanedLine } from './toLanes';

type Differing = {
  /** The place of the value. */
  at: string;
  /** Its text in each recording. */
  texts: readonly string[];
  /** A name for its hole. */
  label: string;
  /** Who sends it. */
  side: LanedLine['side'];
};

/** The name of the hole at each place; a place without a hole keeps the value of the first recording. */
type Names = ReadonlyMap<string, string>;

/** The lines of the first recording with holes: one for each value that the server issues, also in lines of the client. */
export const learnHoles = (lines: readonly PairedLine[]): LanedLine[] => {
  const names = nameHoles(lines.flatMap(differingIn));
  return lines.map((paired, row) => withHoles(paired, row, names));
};

/** The values of a line in each recording; a line that is not JSON is a text. */
const valuesOf = ({ line, others }: PairedLine): unknown[] =>
  [line, ...others].map((one) => one.line.value ?? one.line.line);

/** Whether all values are the same. */
const isEqual = (values: readonly unknown[]): boolean => values.every((value) => value === values[0]);

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * Replaces a leaf that differs, or words of a text.
 * @param whole returns the value in place of the leaf
 * @param wordAt returns the text in place of a word
 */
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

/** Short texts, times and durations may occur twice by chance. */
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

/** A part of aligned texts: what all have in common, or a word of each. */
type TextPart =
  | string
  | {
      words: readonly string[];
      /** The name before it, as in `id: a1`; '' for none. */
      label: string;
    };

/** A time in any form, a decimal number, or letters and digits that dashes may join. */
const WORD = new RegExp(
  `${TIME_SOURCE}|\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d|\\d+\\.\\d+(?![\\w.])|[\\p{L}\\p{N}]+(?:[_-]+[\\p{L}\\p{N}]+)*`,
  'gu',
);
/** The characters between a name and its value, in JSON, YAML and the like. */
const LABELLED = /^["']?\s*[:=]\s*["']?$/;
/** A text that may be base64 or a handle: it is no prose. */
const OPAQUE = /^[\w+/=.~%-]*$/;

type Split = {
  words: string[];
  /** The text before each word, and the end of the text. */
  between: string[];
};

const splitWords = (text: string): Split => {
  const found = [...text.matchAll(WORD)];
  const ends = found.map(({ 0: word, index }) => index + word.length);
  return {
    words: found.map(([word]) => word),
    between: [...found.map(({ index }, i) => text.slice(ends[i - 1] ?? 0, index)), text.slice(ends.at(-1) ?? 0)],
  };
};

/** The parts of texts that are the same apart from some words; undefined if they have too little in common. */
export const alignTexts = (texts: readonly string[]): readonly TextPart[] | undefined => {
  const [first, ...others] = texts.map(splitWords);
  if (first === undefined || !others.every(({ between }) => isSame(between, first.between))) return undefined;
  const columns = first.words.map((_, at) => [first, ...others].map(({ words }) => words[at] as string));
  if (!isAligned(texts, columns)) return undefined;
  return columns
    .flatMap((words, at): TextPart[] => {
      const [word = ''] = words;
      const label = LABELLED.test(first.between[at] ?? '') ? (columns[at - 1]?.[0] ?? '') : '';
      return [first.between[at] ?? '', isEqual(words) ? word : { words, label }];
    })
    .concat(first.between.at(-1) ?? '');
};

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, at) => text === b[at]);

/** Prose is aligned unless most words differ and some of these have no digits; an opaque text only if a word of three or more characters is common. */
const isAligned = (texts: readonly string[], columns: readonly string[][]): boolean => {
  const common = columns.filter(isEqual);
  const differing = columns.filter((words) => !isEqual(words));
  if (texts.some((text) => OPAQUE.test(text))) return common.some(([word = '']) => word.length >= 3);
  return common.length >= differing.length || differing.every((words) => words.some((word) => /\d/.test(word)));
};
