/** Turns a path into a file URI. */

/** An absolute path as a `file:` URI. */
export const toUri = (absolute: string): string => {
  const url = new URL('file:///');
  url.pathname = absolute.replace(/[%\\\n\r\t]/g, encodeURIComponent);
  return url.href;
};
