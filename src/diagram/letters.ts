/** Owns which letter stands for which name. */

/** Gives a name its letter, the same every time. */
export type Letters = (name: string, size: 'small' | 'capital') => string;

/** Where all letters are taken. */
const OTHER = '*';
const SMALL = 'abcdefghijklmnopqrstuvwyz';

/** Letters of one picture: one of the name's own when one is free. Both cases of a letter are taken; `x` is a cancel. */
export const openLetters = (): Letters => {
  const taken = new Set<string>(['x']);
  const letters = new Map<string, string>();
  return (name, size) => {
    const known = letters.get(name);
    if (known !== undefined) return known;
    const own = (name.split(/[/ ]/).at(-1) ?? '').toLowerCase().replace(/[^a-z]/g, '');
    const free = [...own, ...SMALL].find((letter) => !taken.has(letter)) ?? OTHER;
    const letter = size === 'small' ? free : free.toUpperCase();
    if (free !== OTHER) taken.add(free);
    letters.set(name, letter);
    return letter;
  };
};
