/** Takes the secrets out of lines while they are recorded: pieces of a text are buffered until the text is whole. */
import { parseJson } from '../../protocol/jsonrpc/parseJson';
import { toBuffer } from '../../streams/bytes/toBuffer';
import { bufferedLines, MAX_SECRET_CHARS } from './bufferedLines';
import { isEnd, openTexts, type Sent } from './endOfText';
import { textKey } from './redactPieces';
import type { Redactor } from './redactTape';
import { mayBePiece, pieceOf } from './spreadDeltas';
import type { Entry, RecordedLines } from './tape';

/**
 * `passes` is true for lines that came together if they can be written as they are. `add` and `end` give the lines that can be written now,
 * in the order in which they came; after `end` nothing is buffered.
 */
export type RedactionBuffer = {
  passes: (recorded: RecordedLines) => boolean;
  add: (entry: Entry) => readonly Entry[];
  end: () => readonly Entry[];
};

/** The functions of a redactor that lines need. */
type LineRedactor = Pick<Redactor, 'line' | 'text' | 'mayHold'>;

/** How much is buffered at most. */
const MAX_BUFFERED = { chars: 4 * MAX_SECRET_CHARS, lines: 20_000 };

/**
 * Buffers lines from the first piece of a text on, until a message after which that text has no further piece. A text that is longer than what
 * is buffered is redacted part by part, each with the end of the one before.
 */
export const redactionBuffer = ({ line, text, mayHold }: LineRedactor): RedactionBuffer => {
  const open = openTexts();
  const buffered = bufferedLines({ open, redact: text });
  let chars = 0; // of the pieces that came since the last release
  const release = (): readonly Entry[] => {
    chars = 0;
    return buffered.release().map((entry) => line(entry));
  };
  const releaseAfter = (end?: Sent): readonly Entry[] => {
    open.end(end);
    return buffered.isFirstOpen() ? [] : release();
  };
  return {
    passes: (recorded) => buffered.count() === 0 && !isConcerned(recorded, mayHold),
    add: (entry) => {
      const isIdle = buffered.count() === 0;
      if (isIdle && !mayBePiece(entry.line)) return [line(entry)];
      const message = parseJson(entry.line);
      const piece = pieceOf(message);
      if (piece === undefined && isIdle) return [line(entry)];
      buffered.add(entry);
      if (entry.dir === 'exit' || buffered.count() >= MAX_BUFFERED.lines) return releaseAfter();
      if (piece === undefined) return isEnd(message) ? releaseAfter({ dir: entry.dir, message }) : [];
      open.add(textKey(entry, piece), { dir: entry.dir, message });
      chars += piece.text.length;
      return chars >= MAX_BUFFERED.chars ? release() : [];
    },
    end: releaseAfter,
  };
};

/** Whether one of the lines may hold a secret or a piece. Both tests look for ASCII only, so each byte can be read as a character. */
const isConcerned = ({ lines }: RecordedLines, mayHold: Redactor['mayHold']): boolean => {
  const text = toBuffer(lines).toString('latin1');
  return mayHold(text) || mayBePiece(text);
};
