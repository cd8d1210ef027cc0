/** Chooses the letters of a picture: if possible, a letter of the name. */
import { lazy } from '../../streams/lazy';
import {
  accentedCapitals,
  freeLetter,
  lettersBetween,
  OTHER_CAPITALS,
  SMALL_LETTERS,
} from '../../streams/marbles/letters';
import type { Sign } from './chart';

/** `x` is a cancel. */
const ALPHABET = SMALL_LETTERS.filter((letter) => letter !== 'x');
/** For more names: Greek and Cyrillic letters, Latin letters with accents, then syllables of Hangul, which have no capitals. */
const moreLetters = /* @__PURE__ */ lazy(() => [
  ...[...OTHER_CAPITALS, ...accentedCapitals()].map((letter) => letter.toLowerCase()),
  ...lettersBetween(0xac00, 0xd7a4),
]);
/** The sign of a name if all eleven thousand letters are taken. */
const OTHER = '*';

/**
 * The character of each sign. A name has the same letter everywhere, in the case that the sign asks for; no two names share a letter in either case.
 */
export const assignLetters = (signs: readonly Sign[]): string[] => {
  const letters = new Map<string, string>();
  const taken = new Set<string>();
  let further = 0; // how many of the further letters are taken
  const furtherLetter = (): string => moreLetters()[further++] ?? OTHER;
  for (const sign of signs) {
    if (sign.kind === 'fixed' || letters.has(sign.of)) continue;
    const letter = freeLetter(ALPHABET, (one) => taken.has(one), ownLettersOf(sign.of)) ?? furtherLetter();
    taken.add(letter);
    letters.set(sign.of, letter);
  }
  return signs.map((sign) => {
    if (sign.kind === 'fixed') return sign.text;
    const letter = letters.get(sign.of) ?? OTHER;
    return sign.size === 'small' ? letter : letter.toUpperCase();
  });
};

const ownLettersOf = (name: string): string => (name.split(/[/ ]/).at(-1) ?? '').toLowerCase();
