/** The letters that stand for values and messages in a drawing. */

/** Small Latin letters, which stand for inputs. */
export const SMALL_LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

/** Latin capitals, which stand for outputs. */
export const CAPITAL_LETTERS = SMALL_LETTERS.map((letter) => letter.toUpperCase());

/** Greek and Cyrillic capitals that, like their small letters, do not look like Latin letters. */
export const OTHER_CAPITALS = [...'ΓΔΘΛΞΠΣΦΨΩБДЖЗИЙЛЦЧШЩЫЭЮЯ'];

/** All letters, in the order in which they are assigned to values that suggest none. */
export const LETTERS = [
  ...[...SMALL_LETTERS, ...CAPITAL_LETTERS, ...'0123456789'],
  ...OTHER_CAPITALS.map((letter) => letter.toLowerCase()),
  ...OTHER_CAPITALS,
];

/** The characters of a Unicode range, its end excluded. */
export const lettersBetween = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => String.fromCharCode(from + i));

/** Latin capitals with accents, each with one small letter. */
export const accentedCapitals = (): string[] =>
  [...lettersBetween(0xc0, 0x370), ...lettersBetween(0x1e00, 0x1f00)].filter(
    (one) => one.toLowerCase() !== one && one.toLowerCase().length === 1 && one.toLowerCase().toUpperCase() === one,
  );

/** The first free letter among the preferred letters of the alphabet, otherwise the next of the alphabet; undefined if all are taken. */
export const freeLetter = (
  alphabet: readonly string[],
  isTaken: (letter: string) => boolean,
  preferred: string,
): string | undefined =>
  [...[...preferred].filter((letter) => alphabet.includes(letter)), ...alphabet].find((letter) => !isTaken(letter));
