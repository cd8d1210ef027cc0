/** Splits a text into matches of a pattern. */

/** The matches that make up the text, in order; undefined if something between them does not match. @param piece global and sticky, never empty */
export const tokenize = (piece: RegExp, text: string): RegExpExecArray[] | undefined => {
  const pieces = [...text.matchAll(piece)]; // works on a copy of the pattern, so no position stays in a constant
  const length = pieces.reduce((sum, [match]) => sum + match.length, 0);
  return length === text.length ? pieces : undefined;
};
