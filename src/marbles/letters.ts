/** The letters by which values and messages are drawn. */

/** Small Latin letters, which stand for what goes in. */
export const SMALL_LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Latin capitals, which stand for what comes out. */
export const CAPITAL_LETTERS = SMALL_LETTERS.map((letter) => letter.toUpperCase());

/** All letters, in the order in which they are given to values that suggest none. */
export const LETTERS = [...SMALL_LETTERS, ...CAPITAL_LETTERS, ...'0123456789'];

/**
 * A letter that is free: the first of the preferred ones that the alphabet has, else the next of the alphabet;
 * undefined when all are taken.
 */
export const freeLetter = (
  alphabet: readonly string[],
  isTaken: (letter: string) => boolean,
  preferred: string,
): string | undefined =>
  [...[...preferred].filter((letter) => alphabet.includes(letter)), ...alphabet].find((letter) => !isTaken(letter));
