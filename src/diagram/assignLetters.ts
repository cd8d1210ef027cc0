/** Chooses the letters of a picture: one of the name's own where one is free. */
import { freeLetter, SMALL_LETTERS } from '../marbles';
import type { Sign } from './chart';

/** Where all letters are taken. */
const OTHER = '*';
/** `x` is a cancel. */
const ALPHABET = SMALL_LETTERS.filter((letter) => letter !== 'x');

/**
 * The character of each sign. A name has one letter everywhere, in the case that the sign asks for; no two names share a
 * letter in either case.
 */
export const assignLetters = (signs: readonly Sign[]): string[] => {
  const letters = new Map<string, string>();
  const taken = new Set<string>();
  for (const sign of signs) {
    if (sign.kind === 'fixed' || letters.has(sign.of)) continue;
    const letter = freeLetter(ALPHABET, (one) => taken.has(one), ownLettersOf(sign.of)) ?? OTHER;
    taken.add(letter);
    letters.set(sign.of, letter);
  }
  return signs.map((sign) => {
    if (sign.kind === 'fixed') return sign.text;
    const letter = letters.get(sign.of) ?? OTHER;
    return sign.size === 'small' ? letter : letter.toUpperCase();
  });
};

/** The letters of the last part of a name. */
const ownLettersOf = (name: string): string => (name.split(/[/ ]/).at(-1) ?? '').toLowerCase();
