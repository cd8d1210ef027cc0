/** Files that hold one value. */

/** The text without the line breaks at its end. The time is linear: somebody else wrote the text, and it may end with a million of them. */
export const withoutEndBreaks = (text: string): string => text.replace(/(?<![\r\n])[\r\n]+$/, '');
