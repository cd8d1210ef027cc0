/**
 * Trimming by Unicode's White_Space, as in the original: U+0085 is blank, U+FEFF is not; in JavaScript it is the other
 * way round. Loops instead of patterns, so that a long run of blanks inside a line costs nothing.
 */

/** All characters of Unicode's White_Space are one UTF-16 unit long. */
const isBlank = (code: number): boolean =>
  code === 0x20 ||
  (code >= 0x09 && code <= 0x0d) ||
  (code >= 0x80 &&
    (code === 0x85 ||
      code === 0xa0 ||
      code === 0x1680 ||
      (code >= 0x2000 && code <= 0x200a) ||
      code === 0x2028 ||
      code === 0x2029 ||
      code === 0x202f ||
      code === 0x205f ||
      code === 0x3000));

/** A text without the blanks at its end. */
export const trimEnd = (text: string): string => {
  let end = text.length;
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

/** A text without the blanks at both ends. */
export const trim = (text: string): string => {
  const rest = trimEnd(text);
  let start = 0;
  while (start < rest.length && isBlank(rest.charCodeAt(start))) start += 1;
  return rest.slice(start);
};
