/** Makes one line of the body of an HTTP message. */

/**
 * The text without its line breaks, which JSON has between its tokens only; undefined for a blank one.
 *   '{\n  "id": 1\n}' → '{ "id": 1 }'
 */
export const toSingleLine = (body: string): string | undefined => {
  const line = body.trim().replaceAll(/\s*[\r\n]+\s*/g, ' ');
  return line === '' ? undefined : line;
};
