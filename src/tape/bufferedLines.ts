/** The lines of a tape that wait because they have pieces of texts, or came after such lines. */
import { parseJson } from '../protocol/jsonrpc';
import type { OpenTexts } from './endOfText';
import { redactPieces, textKey } from './redactPieces';
import { pieceOf } from './spreadDeltas';
import type { Entry, TapeItem } from './tape';

/** How long a secret may be that pieces split, in characters. */
export const MAX_SECRET_CHARS = 16_384;

/** @param open the texts that may have further pieces; @param redact a whole text */
export type BufferedDeps = { open: Pick<OpenTexts, 'has'>; redact: (text: string) => string };

/**
 * `add` takes a line that waits. `release` gives those that can be written, without the secrets that pieces split: it keeps the ends of open texts, where a
 * secret may have begun, and what came after them. `isFirstOpen`: the first of the lines has a piece of an open text.
 */
export type BufferedLines = {
  add: (entry: Entry) => void;
  release: () => readonly Entry[];
  isFirstOpen: () => boolean;
  count: () => number;
};

/** No line waits. */
export const bufferedLines = ({ open, redact }: BufferedDeps): BufferedLines => {
  let carried: readonly Entry[] = [];
  let arrived: Entry[] = [];
  return {
    add: (entry) => void arrived.push(entry),
    release: () => {
      const redacted = withoutSplit([...carried, ...arrived], redact);
      const cut = firstOfEnds(redacted, open);
      carried = redacted.slice(cut);
      arrived = [];
      return redacted.slice(0, cut);
    },
    isFirstOpen: () => {
      const [first] = carried.length > 0 ? carried : arrived;
      const key = first && textIn(first)?.key;
      return key !== undefined && open.has(key);
    },
    count: () => carried.length + arrived.length,
  };
};

const toItem = (entry: Entry): TapeItem => ({ kind: 'entry', lineNumber: 0, entry });

const withoutSplit = (entries: readonly Entry[], redact: (text: string) => string): Entry[] =>
  redactPieces(entries.map(toItem), redact).flatMap((item) => (item.kind === 'entry' ? [item.entry] : []));

/** The first line that has a piece of an open text's last `MAX_SECRET_CHARS`, where a secret may have begun. */
const firstOfEnds = (entries: readonly Entry[], open: BufferedDeps['open']): number => {
  const behind = new Map<string, number>();
  return entries.reduceRight((first, entry, at) => {
    const text = textIn(entry);
    if (text === undefined || !open.has(text.key)) return first;
    const already = behind.get(text.key) ?? 0;
    behind.set(text.key, already + text.length);
    return already < MAX_SECRET_CHARS ? at : first;
  }, entries.length);
};

/** The text that a line has a piece of, and the length of that piece. */
const textIn = (entry: Entry): { key: string; length: number } | undefined => {
  const piece = pieceOf(parseJson(entry.line));
  return piece && { key: textKey(entry, piece), length: piece.text.length };
};
