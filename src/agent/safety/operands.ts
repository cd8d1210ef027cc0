/** Arguments in general: connectors, flags, flags with values, line ranges. For display only. */

const CONNECTORS = new Set(['&&', '||', '|', ';']);

/** True for a word that joins two commands. */
export const isConnector = (word: string): boolean => CONNECTORS.has(word);

/** The words before the first connector; a quoted `'|'` counts as one. Source: Codex 0.28.0. */
export const untilConnector = (words: readonly string[]): readonly string[] => {
  const end = words.findIndex(isConnector);
  return end < 0 ? words : words.slice(0, end);
};

/** True for a word that is an option rather than an operand. */
export const isFlag = (word: string): boolean => word.startsWith('-');

/** The words without `--name=value`, without the given flags and their values, and without the first `--`, after which all words stay. */
export const skipFlagValues = (words: readonly string[], flags: readonly string[]): string[] =>
  words.reduce<{ words: string[]; next: 'look' | 'skip' | 'keep' }>(
    ({ words, next }, word) => {
      if (next === 'skip') return { words, next: 'look' };
      if (next === 'look' && word === '--') return { words, next: 'keep' };
      if (next === 'look' && word.startsWith('--') && word.includes('=')) return { words, next };
      if (next === 'look' && flags.includes(word)) return { words, next: 'skip' };
      words.push(word);
      return { words, next };
    },
    { words: [], next: 'look' },
  ).words;

/** True for `3p` and `3,5p`. */
export const isLineRange = (word: string): boolean => /^[0-9]+(,[0-9]+)?p$/.test(word);
