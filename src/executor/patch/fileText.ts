/** A file as lines, and back. */

/** A text as lines. */
export type FileText = {
  /** Without their line feeds, but with a carriage return before one. */
  lines: readonly string[];
  /** Whether the last line has a line feed too. */
  end: 'newline' | 'none';
};

/** An empty file has no lines; a line added to it ends with a line feed. */
export const toFileText = (text: string): FileText => {
  const lines = text.split('\n');
  const end = lines.at(-1) === '' ? 'newline' : 'none';
  return { lines: end === 'newline' ? lines.slice(0, -1) : lines, end };
};

/** The line end of a terminated line. */
export const lineEndOf = (line: string): '\n' | '\r\n' => (line.endsWith('\r') ? '\r\n' : '\n');
