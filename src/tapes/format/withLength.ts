/** Messages whose headers name their length. */
import type { Framing } from '../../streams/bytes/splitMessages';
import type { NumberedEntry, RecordedLine } from './tape';

/** The line with its present length in its headers; unchanged when it has no headers. */
export const withLength = <T extends RecordedLine>(recorded: T): T => {
  const { head, line, end = '\n', bytes } = recorded;
  if (head === undefined || bytes !== undefined) return recorded;
  const length = Buffer.byteLength(line + end);
  return { ...recorded, head: head.replace(/(content-length: *)\d+/i, `$1${length}`) };
};

/** The entry of a message as this program sends it, with a length or in a line. */
export const toRecorded = (dir: 'in' | 'out', line: string, framing: Framing): RecordedLine =>
  framing === 'lines' ? { dir, line } : withLength({ dir, line, head: 'Content-Length: 0\r\n\r\n', end: '' });

/** How the messages of a session were framed. */
export const framingOf = ({ entries }: { entries: readonly Pick<NumberedEntry, 'entry'>[] }): Framing =>
  entries.some(({ entry }) => entry.head !== undefined) ? 'contentLength' : 'lines';
