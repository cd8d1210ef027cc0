/** The lines of a tape that wait because they have pieces of texts, or came after such lines. */
import { parseJson } from '../../protocol/jsonrpc/parseJson';
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
