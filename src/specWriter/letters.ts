/** Owns which letter stands for which message: small ones for the client, capitals for the server. */
import { lazy } from '../lazy';

/** Behind the Latin letters come those of Greek and Cyrillic that look like no other. */
const SMALL = 'abcdefghijklmnopqrstuvwxyzαβγδεζηθλμξπσφψωбгджзийлпфцчшщыэюя';
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZΓΔΘΛΞΠΣΦΨΩБДЖЗИЙЛЦЧШЩЫЭЮЯ';

const between = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => String.fromCharCode(from + i));

/** For more than that at once: Latin letters with accents, then syllables of Hangul, which have no capitals. */
const capitalsWithAccents = lazy(() =>
  [...between(0xc0, 0x370), ...between(0x1e00, 0x1f00)].filter(
    (one) => one.toLowerCase() !== one && one.toLowerCase().length === 1 && one.toLowerCase().toUpperCase() === one,
  ),
);
const moreFor = (side: 'client' | 'server'): string[] => {
  const accented = capitalsWithAccents();
  const own = side === 'client' ? accented.map((one) => one.toLowerCase()) : accented;
  return [...own, ...(side === 'client' ? between(0xac00, 0xc000) : between(0xc000, 0xd7a4))];
};

/** Which message a letter stands for, by its text. */
export type Letters = { byText: Map<string, string>; texts: Map<string, string> };

/** No letter stands for anything yet. */
export const noLetters = (): Letters => ({ byText: new Map(), texts: new Map() });

/** Whether there are letters for so many more messages of either side. */
export const hasFree = ({ texts }: Letters, count: number): boolean =>
  [SMALL, CAPITALS].every((all) => [...all].filter((letter) => !texts.has(letter)).length >= count);

/** A free letter: a wanted one, one of the name's own, the next. */
const freeLetter = ({ texts }: Letters, side: 'client' | 'server', wanted: string): string | undefined => {
  const all = side === 'client' ? SMALL : CAPITALS;
  const own = [...(side === 'client' ? wanted.toLowerCase() : wanted.toUpperCase())].filter((one) => all.includes(one));
  const isFree = (letter: string): boolean => !texts.has(letter);
  return [...own, ...all].find(isFree) ?? moreFor(side).find(isFree);
};

/**
 * The letter of a message; `isNew` when it had none. A letter is not given twice while its request is open.
 * @param wanted letters that suit it, best first
 */
export const takeLetter = (
  letters: Letters,
  side: 'client' | 'server',
  text: string,
  wanted: string,
  open: readonly string[],
): { letter: string; isNew: boolean } => {
  const known = letters.byText.get(text);
  if (known !== undefined && !open.includes(known)) return { letter: known, isNew: false };
  const letter = freeLetter(letters, side, wanted);
  if (letter === undefined) throw new Error('there is no letter left');
  letters.byText.set(text, letter);
  letters.texts.set(letter, text);
  return { letter, isNew: true };
};

/** Only these letters stay as they are; all others are free again. */
export const keepLetters = ({ texts }: Letters, kept: readonly string[]): Letters => ({
  byText: new Map(),
  texts: new Map([...texts].filter(([letter]) => kept.includes(letter))),
});
