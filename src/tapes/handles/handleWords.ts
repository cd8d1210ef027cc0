/** Finds, replaces and pairs the words of texts: runs of letters, digits, dashes and underscores. */

const WORD = /[\w-]+/g;
/** From the first digit of a word on; few words of a text have a digit. */
const FROM_DIGIT = /\d[\w-]*/g;
const JOINTS = '_-';

/** A word in a text. */
export type Word = {
  whole: string;
  /** Without the dashes and underscores around it. */
  inner: string;
  /** Its place in the text. */
  at: number;
};

const innerOf = (word: string): string => {
  let [from, to] = [0, word.length];
  while (from < to && JOINTS.includes(word[from] as string)) from += 1;
  while (to > from && JOINTS.includes(word[to - 1] as string)) to -= 1;
  return word.slice(from, to);
};

/** All words of a text. */
export const wordsIn = (text: string): Word[] =>
  Array.from(text.matchAll(WORD), ({ 0: whole, index }) => ({ whole, inner: innerOf(whole), at: index }));

/** The words of a text that have a digit; a word in dashes or underscores is listed with and without these. */
export const tokensIn = (text: string): string[] =>
  Array.from(text.matchAll(FROM_DIGIT), ({ 0: tail, index }) => {
    let from = index;
    while (from > 0 && /[\w-]/.test(text[from - 1] as string)) from -= 1;
    const whole = text.slice(from, index + tail.length);
    const inner = innerOf(whole);
    return inner === whole ? [whole] : [whole, inner];
  }).flat();

/** The text with other words; a word for which `change` returns undefined stays. */
export const withWords = (text: string, change: (word: string) => string | undefined): string =>
  text.replace(WORD, (whole) => {
    const changed = change(whole);
    if (changed !== undefined) return changed;
    const inner = innerOf(whole);
    return inner === whole ? whole : whole.replace(inner, () => change(inner) ?? inner);
  });

/**
 * Pairs the words of two texts: by their position among the words with digits, or among all words, if both texts have equally many; otherwise by the
 * text before them.
 */
export const pairWords = (text: string, other: string): [Word, Word][] => {
  const [words, others] = [wordsIn(text), wordsIn(other)];
  const [tokens, otherTokens] = [words.filter(hasDigit), others.filter(hasDigit)];
  const pairOf = (word: Word, i: number): Word | undefined => {
    if (hasDigit(word) && tokens.length === otherTokens.length) return otherTokens[tokens.indexOf(word)];
    return words.length === others.length ? others[i] : wordBehind(contextOf(text, word), other, others);
  };
  return words.flatMap((word, i): [Word, Word][] => {
    const found = pairOf(word, i);
    return found === undefined ? [] : [[word, found]];
  });
};

const hasDigit = ({ whole }: Word): boolean => /\d/.test(whole);

const CONTEXT_CHARS = 12;

const contextOf = (text: string, { at }: Word): string => text.slice(Math.max(0, at - CONTEXT_CHARS), at);

const wordBehind = (context: string, text: string, words: readonly Word[]): Word | undefined => {
  const found = text.indexOf(context);
  return found === -1 ? undefined : words.find(({ at }) => at >= found + context.length);
};
