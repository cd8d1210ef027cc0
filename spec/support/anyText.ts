/** Arbitrary text for fast-check. */
import fc, { type StringConstraints } from 'fast-check';

/** Where the halves of pairs begin, which are no characters, and how many there are. */
const HALVES = 0xd800;
const HALVES_COUNT = 0x800;

const toCharacter = (place: number): string => String.fromCodePoint(place < HALVES ? place : place + HALVES_COUNT);

const toPlace = (text: unknown): number => {
  const point = String(text).codePointAt(0) ?? 0;
  const place = point < HALVES ? point : point - HALVES_COUNT;
  if (text !== toCharacter(place)) throw new Error('It is not one character');
  return place;
};

/** Any character of Unicode. The unit `binary` of fast-check draws the same, but lists them all first: two seconds in each spec file. */
const character = fc.integer({ min: 0, max: 0x10ffff - HALVES_COUNT }).map(toCharacter, toPlace);

/** Text of any characters, and of names such as `__proto__`. */
export const anyText = (constraints: Omit<StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: character });
