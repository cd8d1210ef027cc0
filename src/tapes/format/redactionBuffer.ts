/** Takes the secrets out of lines while they are recorded: pieces of a text are buffered until the text is whole. */
import { parseJson } from '../../protocol/jsonrpc/json';
import { toBuffer } from '../../streams/bytes/toBuffer';
import { isEnd, type OpenTexts, openTexts, type Sent } from './endOfText';
import { redactPieces, textKey } from './redactPieces';
import type { Redactor } from './redactTape';
import { mayBePiece, pieceOf } from './spreadDeltas';
import type { Entry, RecordedLines, TapeItem } from './tape';

/** How long a secret may be that pieces split, in characters. */
export const MAX_SECRET_CHARS = 16_384;

/** @param open the texts that may have further pieces; @param redact a whole text */
type BufferedDeps = { open: Pick<OpenTexts, 'has'>; redact: (text: string) => string };

/**
 * `add` takes a line that waits. `release` gives those that can be written, without the secrets that pieces split: it keeps the ends of open texts, where a
 * secret may have begun, and what came after them. `isFirstOpen`: the first of the lines has a piece of an open text.
 */
type BufferedLines = {
  add: (entry: Entry) => void;
  release: () => readonly Entry[];
  isFirstOpen: () => boolean;
  count: () => number;
};

/** The text that a line has a piece of, and the length of that piece. */
type TextPiece = { key: string; length: number };

type Waiting = { entry: Entry; text?: TextPiece };

/** No line waits. */
export const bufferedLines = ({ open, redact }: BufferedDeps): BufferedLines => {
  let waiting: Waiting[] = [];
  return {
    add: (entry) => void waiting.push(toWaiting(entry)),
    release: () => {
      const cut = firstOfEnds(waiting, open);
      const redacted = withoutSplit(waiting, { cut, redact });
      waiting = redacted.slice(cut);
      return redacted.slice(0, cut).map(({ entry }) => entry);
    },
    isFirstOpen: () => {
      const key = waiting[0]?.text?.key;
      return key !== undefined && open.has(key);
    },
    count: () => waiting.length,
  };
};

const toWaiting = (entry: Entry): Waiting => {
  const piece = pieceOf(parseJson(entry.line));
  return piece === undefined ? { entry } : { entry, text: { key: textKey(entry, piece), length: piece.text.length } };
};

type Cut = Pick<BufferedDeps, 'redact'> & { cut: number };

/** Redacts the texts that have a piece before the cut: the others wait, and with many open texts redacting them each time takes most of the time. */
const withoutSplit = (waiting: readonly Waiting[], { cut, redact }: Cut): Waiting[] => {
  const keys = new Set(waiting.slice(0, cut).map(({ text }) => text?.key));
  const concerned = waiting.filter(({ text }) => text !== undefined && keys.has(text.key));
  const items = redactPieces(
    concerned.map(({ entry }): TapeItem => ({ kind: 'entry', lineNumber: 0, entry })),
    redact,
  );
  const fresh = new Map(concerned.map((one, i) => [one, items[i]]));
  return waiting.map((one) => {
    const item = fresh.get(one);
    return item?.kind !== 'entry' || item.entry === one.entry ? one : toWaiting(item.entry);
  });
};

/** The first line that has a piece of an open text's last `MAX_SECRET_CHARS`, where a secret may have begun. */
const firstOfEnds = (waiting: readonly Waiting[], open: BufferedDeps['open']): number => {
  const behind = new Map<string, number>();
  return waiting.reduceRight((first, { text }, at) => {
    if (text === undefined || !open.has(text.key)) return first;
    const already = behind.get(text.key) ?? 0;
    behind.set(text.key, already + text.length);
    return already < MAX_SECRET_CHARS ? at : first;
  }, waiting.length);
};

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
