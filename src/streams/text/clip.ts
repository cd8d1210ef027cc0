/** Limits the length of a foreign text that an error quotes. */

/** The text, cut after `maxChars` UTF-16 units with an ellipsis; never inside a surrogate pair. */
export const clip = (text: string, maxChars: number): string => {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')}…`;
};
