/**
 * How well a path fits a query whose letters it has in their order. Own code: the response has the places of the letters, and a score that prefers the
 * name of the file to its folders; libraries of fuzzy search rank texts without such a notion.
 */

/** `indices` are the places in the path of the letters of the query, in order. */
export type Fit = { score: number; indices: number[] };

const MATCH = 16;
const CONSECUTIVE = 8;
const WORD_START = 8;
const IN_NAME = 4;
const GAP = 1;
const MAX_GAP = 8;

/**
 * The fit of a path, undefined if it lacks a letter of the query. Letters in a row, at the start of a word and in the name of the
 * file count more. A query in small letters fits capitals too. The query is read once for all paths.
 */
export const fuzzyScore = (query: string): ((path: string) => Fit | undefined) => {
  const letters = query.replaceAll(/\s/g, '');
  const isExact = letters !== letters.toLowerCase();
  return (path) => {
    if (letters.length > path.length) return undefined;
    const indices = matchIndices(letters, isExact ? path : toSmall(path));
    return indices && { score: scoreOf(path, indices), indices };
  };
};

/** Small letters in the same places: a capital that becomes two, such as the dotted I, would move those after it. */
const toSmall = (path: string): string => {
  const small = path.toLowerCase();
  return small.length === path.length ? small : path;
};

/** From the last place where the query can begin, so that the name of the file comes before its folders. */
const matchIndices = (letters: string, text: string): number[] | undefined => {
  let begin = text.length;
  for (let at = letters.length - 1; at >= 0; at--) {
    begin = begin === 0 ? -1 : text.lastIndexOf(letters[at] as string, begin - 1);
    if (begin < 0) return undefined;
  }
  let from = begin;
  return [...letters].map((letter) => {
    const index = text.indexOf(letter, from);
    from = index + letter.length;
    return index;
  });
};

const scoreOf = (path: string, indices: readonly number[]): number => {
  const name = path.lastIndexOf('/') + 1;
  return indices.reduce((score, index, at) => {
    const gap = at === 0 ? 0 : index - (indices[at - 1] as number) - 1;
    const near = at > 0 && gap === 0 ? CONSECUTIVE : -Math.min(gap * GAP, MAX_GAP);
    return score + MATCH + near + (isWordStart(path, index) ? WORD_START : 0) + (index >= name ? IN_NAME : 0);
  }, 0);
};

const isWordStart = (path: string, index: number): boolean => {
  const before = path[index - 1];
  const letter = path[index] as string;
  return before === undefined || /[^\p{L}\p{N}]/u.test(before) || (/\p{Lu}/u.test(letter) && /\p{Ll}/u.test(before));
};
