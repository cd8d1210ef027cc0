/** Texts from outside: one that tries to command a terminal, to hide and to forge a line, and arbitrary ones for fast-check. */
import fc, { type StringConstraints } from 'fast-check';

/** Colours, a link, the clipboard, C1 controls, text that runs backwards or is not seen, and a line of its own. */
export const HOSTILE = [
  'E\u001b[31m\u001b]8;;http://x\u0007\u001b]52;c;ZXZpbA==\u001b\\',
  '\u009b2J\u009d0;t\u009c\u0085',
  '\u202e\u2066\u200b\u00ad\ufeff\u2028\u{e0041}',
  '\r\nFORGED\b\u007f\t',
].join('');

/** The same in one line. */
export const HOSTILE_LINE = HOSTILE.replaceAll('\n', '');

/** Everything that no terminal may receive, except for the ends of lines. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

/** The lines of an output that command a terminal, hide something or are forged, as JSON. */
export const faultsOf = (output: string): string[] =>
  output
    .split('\n')
    .filter((line) => UNSEEN.test(line) || /^\s*FORGED/.test(line))
    .map((line) => JSON.stringify(line));

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
export const character = fc.integer({ min: 0, max: 0x10ffff - HALVES_COUNT }).map(toCharacter, toPlace);

/** Text of any characters, and of names such as `__proto__`. */
export const anyText = (constraints: Omit<StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
  fc.string({ ...constraints, unit: character });
