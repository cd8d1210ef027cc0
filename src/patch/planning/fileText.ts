/** A file as lines, and back. */

/** `lines`: without their line feeds, a carriage return before one still there. `end`: whether the last line has a line feed too. */
export type FileText = { lines: readonly string[]; end: 'newline' | 'none' };

/** An empty file has no lines, and would end with a line feed if it had one. */
export const toFileText = (text: string): FileText => {
  const lines = text.split('\n');
  const end = lines.at(-1) === '' ? 'newline' : 'none';
  return { lines: end === 'newline' ? lines.slice(0, -1) : lines, end };
};

/** The line end of a terminated line. */
export const lineEndOf = (line: string): '\n' | '\r\n' => (line.endsWith('\r') ? '\r\n' : '\n');
