/**
 * A quick check whether a text may contain a secret. A recorder runs it on each line: trying a hundred patterns one by one takes twenty times as long for
 * a text in which none of them matches.
 */
import { CLUE_THERE, STARTS, TOKEN_THERE } from './secretStarts';

const BITS = 5;
const WINDOW = 2 ** (3 * BITS) - 1;
const OTHER_MARKS = 32;

/**
 * Five bits for each ASCII character: letters of either case, all digits, and marks that occur in secrets. `OTHER_MARKS` is added if a
 * character is checked by itself.
 */
const codeOf = (char: string): number => {
  if (/[a-z]/i.test(char)) return char.toLowerCase().charCodeAt(0) - 96;
  const marks = ['0123456789', '-_', '.:@*', '/\\', '?&~'].findIndex((some) => some.includes(char));
  return (marks === -1 ? 0 : 27 + marks) + ('@.\\'.includes(char) ? OTHER_MARKS : 0);
};

const CODES = Uint8Array.from({ length: 128 }, (_, code) => codeOf(String.fromCharCode(code)));
const codeAt = (text: string, at: number): number => CODES[text.charCodeAt(at)] ?? 0;

const windowOf = (start: string): number =>
  [...start].reduce((window, char) => (window << BITS) | (codeOf(char) & (OTHER_MARKS - 1)), 0);

const IS_START = new Uint8Array(WINDOW + 1);
for (const start of STARTS) IS_START[windowOf(start)] = 1;

/**
 * False only if `redactText`, without known values, leaves the text unchanged, and each text in it too if it is JSON, members of bytes
 * included; and if it names no person.
 */
export const mayHoldSecret = (text: string): boolean => {
  let window = 0; // the last three characters
  for (let at = 0; at < text.length; at += 1) {
    const code = codeAt(text, at);
    window = ((window << BITS) | (code & (OTHER_MARKS - 1))) & WINDOW;
    if (IS_START[window] === 1 && beginsAt(text, at - 2)) return true;
    if (code >= OTHER_MARKS && isMark(text, at)) return true;
  }
  return hasMixedRun(text);
};

const matchesAt = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};

const beginsAt = (text: string, at: number): boolean =>
  matchesAt(TOKEN_THERE, text, at) || (matchesAt(CLUE_THERE, text, at) && !isProgressToken(text, at));

/** The name of a member that is an id. */
const PROGRESS_TOKEN = '"progressToken"';
const isProgressToken = (text: string, at: number): boolean => {
  const from = at - PROGRESS_TOKEN.indexOf('Token');
  return text.startsWith(PROGRESS_TOKEN, from) && (text[from - 1] === '{' || text[from - 1] === ',');
};

const ADDRESS = /(?<=[\w.+-])@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,6}\.[a-z]{2}/iy;
const SECOND_PART = /\.[\w-]{6}\.[\w-]{27}/y;
const DOT = 46;

/** An email address, the middle of a Discord token, or a JSON escape that could hide any other character. */
const isMark = (text: string, at: number): boolean => {
  const char = text[at];
  if (char === '\\') return text[at + 1] === 'u' || text[at + 1] === '/';
  if (char === '@') return matchesAt(ADDRESS, text, at);
  return text.charCodeAt(at + 7) === DOT && matchesAt(SECOND_PART, text, at);
};

const RUN = 40;
const IN_RUN = /[A-Za-z0-9/+]/;
const IS_IN_RUN = Uint8Array.from({ length: 128 }, (_, code) => (IN_RUN.test(String.fromCharCode(code)) ? 1 : 0));
const isInRun = (text: string, at: number): boolean => IS_IN_RUN[text.charCodeAt(at)] === 1;

/** An AWS secret alone, see `TOKENS`; after a JSON line break it is one character longer. Every fortieth character falls into such a run. */
const hasMixedRun = (text: string): boolean => {
  for (let at = RUN - 1; at < text.length; at += RUN) {
    if (!isInRun(text, at)) continue;
    let [from, to] = [at, at + 1];
    while (from > 0 && at - from <= RUN && isInRun(text, from - 1)) from -= 1;
    while (to < text.length && to - from <= RUN + 1 && isInRun(text, to)) to += 1;
    if (to - from >= RUN && to - from <= RUN + 1 && isMixed(text.slice(from, to))) return true;
  }
  return false;
};

const isMixed = (run: string): boolean =>
  /(?:\d\D*){2}/.test(run) && /(?:[A-Z][^A-Z]*){6}/.test(run) && /(?:[a-z][^a-z]*){6}/.test(run);
