/**
 * Makes text safe to show: no character in it can control a terminal, reorder a line or be hidden. Own code: libraries such as `strip-ansi` remove
 * sequences; here each character stays, as an escape.
 */
import { lazy } from '../../streams/lazy';

/**
 * Control characters, format characters (bidi controls, zero-width spaces and joiners, tags), line and paragraph
 * separators, halves of surrogate pairs, and other characters that take no space or look blank.
 */
const unseen = lazy(
  // building these classes takes 1 ms, which a start would pay
  () => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu,
);

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const toEscape = (char: string): string =>
  SHORT[char] ??
  Array.from({ length: char.length }, (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');

/**
 * The text on one line, with each unseen character written as JSON escapes it: `\n`, `\u001b`, `\u202e`. A line of JSON
 * stays the same JSON value.
 */
export const toVisible = (text: string): string => text.replace(unseen(), toEscape);

/** Most text matches this, which is tested faster than replaced. */
const PLAIN_LINES = /^[\n -~]*$/;

/** Text of several lines, each made visible. Use it only where no part of a line comes from outside with a line break. */
export const toVisibleLines = (text: string): string =>
  PLAIN_LINES.test(text) ? text : text.split('\n').map(toVisible).join('\n');
