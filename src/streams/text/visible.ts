/** Text from outside as a person may be shown it. */
import { lazy } from '../lazy';

/**
 * Control characters, format characters (bidi controls, zero-width spaces and joiners, tags), line and paragraph
 * separators, halves of surrogate pairs, and other characters that take no space or look blank.
 */
const unseen = lazy(
  // building these classes takes 1 ms, which a start would pay
  () => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu,
);

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** JSON never has a control character before the blank as it is, so `\x1b` stands for a real one, and `\u001b` for a character that JSON escaped. */
const toEscape = (char: string): string => {
  if (char < ' ') return SHORT[char] ?? `\\x${toHex(char, 2)}`;
  return Array.from({ length: char.length }, (_, at) => `\\u${toHex(char.charAt(at), 4)}`).join('');
};

const toHex = (unit: string, digits: number): string => unit.charCodeAt(0).toString(16).padStart(digits, '0');

/**
 * The text on one line, with each unseen character written as an escape: `\n`, `\x1b`, `\u202e`. A line of JSON stays the same JSON value. All that a
 * person is shown of a text from outside passes this function or one of the two below.
 */
export const toVisible = (text: string): string => text.replace(unseen(), toEscape);

/** Most text matches this, which is tested faster than replaced. */
const PLAIN_LINES = /^[\n -~]*$/;

const toVisibleBut =
  (kept: string) =>
  (text: string): string =>
    PLAIN_LINES.test(text) ? text : text.replace(unseen(), (char) => (kept.includes(char) ? char : toEscape(char)));

/** Text of several lines for a terminal, each made visible. Use it only if no part of a line comes from outside with a line break. */
export const toVisibleLines = toVisibleBut('\n');

/** The same for a window, where tabs stay: a script, a text of a person. */
export const toVisibleScript = toVisibleBut('\n\t');
