/** Turns the body of an HTTP message into one line. */

/**
 * The text without its line breaks, which JSON has only between its tokens; undefined for a blank one.
 *   '{\n  "id": 1\n}' → '{ "id": 1 }'
 */
export const toSingleLine = (body: string): string | undefined => {
  const line = body.trim().replaceAll(/\s*[\r\n]+\s*/g, ' ');
  return line === '' ? undefined : line;
};
