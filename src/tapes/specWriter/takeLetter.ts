/** Chooses the letters of messages: small ones for the client, capitals for the server. */
import { lazy } from '../../streams/lazy/lazy';
import { accentedCapitals, freeLetter, lettersBetween } from '../../streams/marbles/letters';
import type { Side } from '../session/sessionIndex';

/** After the Latin letters come those of Greek and Cyrillic that look like no other. */
const COMMON: Record<Side, readonly string[]> = {
  client: [...'abcdefghijklmnopqrstuvwxyzαβγδεζηθλμξπσφψωбгджзийлпфцчшщыэюя'],
  server: [...'ABCDEFGHIJKLMNOPQRSTUVWXYZΓΔΘΛΞΠΣΦΨΩБДЖЗИЙЛЦЧШЩЫЭЮЯ'],
};

/** For more messages at once: Latin letters with accents, then syllables of Hangul, which have no capitals. */
const accented = lazy(accentedCapitals);
const moreLetters: Record<Side, () => readonly string[]> = {
  client: lazy(() => [...accented().map((one) => one.toLowerCase()), ...lettersBetween(0xac00, 0xc000)]),
  server: lazy(() => [...accented(), ...lettersBetween(0xc000, 0xd7a4)]),
};

/** The letters that are taken: by the text of their message, and all of them. */
export type Letters = { readonly byText: ReadonlyMap<string, string>; readonly taken: ReadonlySet<string> };

/** No letter is taken yet. */
export const NO_LETTERS: Letters = { byText: new Map(), taken: new Set() };

/** Whether at least `count` letters of each side are free. */
export const hasFree = ({ taken }: Letters, count: number): boolean =>
  Object.values(COMMON).every((all) => all.filter((letter) => !taken.has(letter)).length >= count);

/**
 * A message that needs a letter. `text` is the message; `preferred` are letters that suit it, best first; `inUse` are
 * letters of requests that wait for a response, which cannot stand for another request until then.
 */
export type LetterRequest = { side: Side; text: string; preferred: string; inUse: readonly string[] };

/** The letter of a message, and the letters that are taken then; `isNew` when the message had none before. */
export type TakenLetter = { letters: Letters; letter: string; isNew: boolean };

/** Gives a message its letter: the one that it has, else a preferred one, else the next that is free. */
export const takeLetter = (letters: Letters, { side, text, preferred, inUse }: LetterRequest): TakenLetter => {
  const known = letters.byText.get(text);
  if (known !== undefined && !inUse.includes(known)) return { letters, letter: known, isNew: false };
  const isTaken = (letter: string): boolean => letters.taken.has(letter);
  const inCase = side === 'client' ? preferred.toLowerCase() : preferred.toUpperCase();
  const letter = freeLetter(COMMON[side], isTaken, inCase) ?? freeLetter(moreLetters[side](), isTaken, '');
  if (letter === undefined) {
    throw new Error('there are more different messages at once than letters: select a part of the session');
  }
  const byText = new Map(letters.byText).set(text, letter);
  return { letters: { byText, taken: new Set(letters.taken).add(letter) }, letter, isNew: true };
};

/** Frees all letters but these; what they stand for is forgotten. */
export const keepLetters = ({ taken }: Letters, kept: readonly string[]): Letters => ({
  byText: new Map(),
  taken: new Set(kept.filter((letter) => taken.has(letter))),
});
