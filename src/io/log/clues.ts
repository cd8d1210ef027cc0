/** Reads a text once, and finds where a secret may be: most of a hundred patterns need not be tried then. A recorder reads each line so. */
import type { Pausing } from '../../streams/pausing';
import type { Place } from './generatedTokens';

/** Makes the function that finds clues: words of three characters or more; lower-case letters stand for both cases, 0 for any digit. */
export const cluesOf = <T>(
  byClue: ReadonlyMap<string, readonly T[]>,
): ((text: string, found: (of: T, at: number) => void) => Pausing<void>) => {
  const byStart = new Map<number, [clue: string, of: readonly T[]][]>();
  for (const [clue, of] of byClue) {
    const window = windowOf(clue);
    byStart.set(window, [...(byStart.get(window) ?? []), [clue, of]]);
  }
  const isStart = Uint8Array.from({ length: WINDOW + 1 }, (_, window) => (byStart.has(window) ? 1 : 0));
  const findBefore = (text: string, found: (of: T, at: number) => void, { from, to }: Place): void => {
    let window = 0;
    for (let at = Math.max(0, from - START + 1); at < to; at += 1) {
      window = ((window << BITS) | codeAt(text, at)) & WINDOW;
      if (at < from || isStart[window] === 0) continue;
      for (const [clue, of] of byStart.get(window) ?? [])
        if (isClueAt(text, clue, at - START + 1)) for (const one of of) found(one, at - START + 1);
    }
  };
  return function* (text, found) {
    for (let from = 0; from < text.length; from += STEP) {
      findBefore(text, found, { from, to: Math.min(text.length, from + STEP) });
      yield;
    }
  };
};

/** How many characters are read without a pause. */
const STEP = 65_536;

/** The characters of a clue that are looked up together, and the bits of each. */
const START = 3;
const BITS = 5;
const WINDOW = 2 ** (START * BITS) - 1;

/** A number below 32: letters of either case, any digit, marks. */
const codeOf = (char: string): number => {
  if (/[a-z]/i.test(char)) return char.toLowerCase().charCodeAt(0) - 96;
  const marks = ['0123456789', '-_', '.:*', '/\\', '?&"'].findIndex((some) => some.includes(char));
  return marks === -1 ? 0 : 27 + marks;
};

const CODES = Uint8Array.from({ length: 128 }, (_, code) => codeOf(String.fromCharCode(code)));
const codeAt = (text: string, at: number): number => CODES[text.charCodeAt(at)] ?? 0;

const windowOf = (clue: string): number =>
  [...clue.slice(0, START)].reduce((window, char) => (window << BITS) | codeOf(char), 0);

const isClueAt = (text: string, clue: string, from: number): boolean => {
  for (let i = 0; i < clue.length; i += 1) {
    const char = text[from + i] ?? '';
    if (clue[i] === '0' ? char < '0' || char > '9' : char.toLowerCase() !== clue[i]) return false;
  }
  return true;
};

const IN_RUN = Uint8Array.from({ length: 128 }, (_, code) => (/[\w.+/=~-]/.test(String.fromCharCode(code)) ? 1 : 0));

/** Runs of letters, digits and `_ . + / = ~ -`, as tokens and base64 are. */
export const runsIn = (text: string, minChars: number): readonly Place[] => {
  const runs: Place[] = [];
  for (let at = minChars - 1; at < text.length; at += minChars) {
    if (!isInRun(text, at)) continue; // every run of that length has one of these characters
    let [from, to] = [at, at + 1];
    while (isInRun(text, from - 1)) from -= 1;
    while (isInRun(text, to)) to += 1;
    if (to - from >= minChars) runs.push({ from, to });
    at = to;
  }
  return runs;
};

const isInRun = (text: string, at: number): boolean => IN_RUN[text.charCodeAt(at)] === 1;
