/** Cuts a text into pieces of a pattern. */

/** The matches that the text is made of, in order; undefined where something between them is none. @param piece global and sticky, never empty */
export const tokenize = (piece: RegExp, text: string): RegExpExecArray[] | undefined => {
  const pieces = [...text.matchAll(piece)]; // works on a copy of the pattern, so no position stays in a constant
  const length = pieces.reduce((sum, [match]) => sum + match.length, 0);
  return length === text.length ? pieces : undefined;
};
