/** Aligns texts of several recordings: finds the words that differ where the texts are the same around them. */
import { TIME_SOURCE } from '../matching/mask';

/** A part of aligned texts: what all have, or a word of each; `label` is the name before it, as in `id: a1`, '' for none. */
export type TextPart = string | { words: readonly string[]; label: string };

/** A time in any form, a decimal number, or letters and digits that dashes may join. */
const WORD = new RegExp(
  `${TIME_SOURCE}|\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d|\\d+\\.\\d+(?![\\w.])|[\\p{L}\\p{N}]+(?:[_-]+[\\p{L}\\p{N}]+)*`,
  'gu',
);
/** What may stand between a name and its value, in JSON, YAML and the like. */
const LABELLED = /^["']?\s*[:=]\s*["']?$/;
/** A text that may be base64 or a handle: its characters mean nothing one by one. */
const OPAQUE = /^[\w+/=.~%-]*$/;

/** `between[i]` is in front of `words[i]`; the last of them is the end of the text. */
type Split = { words: string[]; between: string[] };

const splitWords = (text: string): Split => {
  const found = [...text.matchAll(WORD)];
  const ends = found.map(({ 0: word, index }) => index + word.length);
  return {
    words: found.map(([word]) => word),
    between: [...found.map(({ index }, i) => text.slice(ends[i - 1] ?? 0, index)), text.slice(ends.at(-1) ?? 0)],
  };
};

/** The parts of texts that are the same apart from some words; undefined where they have too little in common. */
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

const isEqual = (words: readonly string[]): boolean => words.every((word) => word === words[0]);

/** Prose is aligned unless most words differ, or where all that differ have digits; an opaque text only where a word of three or more characters is common. */
const isAligned = (texts: readonly string[], columns: readonly string[][]): boolean => {
  const common = columns.filter(isEqual);
  const differing = columns.filter((words) => !isEqual(words));
  if (texts.some((text) => OPAQUE.test(text))) return common.some(([word = '']) => word.length >= 3);
  return common.length >= differing.length || differing.every((words) => words.some((word) => /\d/.test(word)));
};
