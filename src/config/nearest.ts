/** Owns the guess which known name was meant. */

const maxLength = 64;

// Row n of the edit distance table from row n - 1; rows count from the empty prefix of `word`.
const nextRow = (above: readonly number[], letter: string, word: readonly string[]): number[] => {
  const row = [above[0]! + 1];
  for (const [at, other] of word.entries()) {
    row.push(Math.min(row[at]! + 1, above[at + 1]! + 1, above[at]! + (letter === other ? 0 : 1)));
  }
  return row;
};

const distance = (a: string, b: string): number => {
  const word = [...b];
  const first = [0, ...word.map((_, at) => at + 1)];
  return [...a].reduce((row, letter) => nextRow(row, letter, word), first).at(-1)!;
};

/** The known name nearest to one that was not found, letter case aside; undefined where more than a third differs. */
export const nearest = (name: string, known: readonly string[]): string | undefined => {
  if (name.length > maxLength) return undefined;
  const limit = Math.ceil(name.length / 3);
  return known
    .filter((one) => one.length <= maxLength)
    .map((one) => ({ one, edits: distance(name.toLowerCase(), one.toLowerCase()) }))
    .filter(({ edits }) => edits <= limit)
    .sort((a, b) => a.edits - b.edits)[0]?.one;
};
