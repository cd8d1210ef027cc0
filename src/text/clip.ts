/** Bounds a text that somebody else wrote and an error quotes. */

/** The text, cut after `maxChars` characters with an ellipsis; never inside a surrogate pair. */
export const clip = (text: string, maxChars: number): string => {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')}…`;
};
