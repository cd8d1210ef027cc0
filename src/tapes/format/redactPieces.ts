/** Takes the secrets out of the texts that a session sends in pieces. */
import { type Piece, pieceOf, spread } from './spreadDeltas';
import type { Entry, TapeItem } from './tape';

/** The pieces of one text, each with its place among the items. */
type Run = { at: number; piece: Piece }[];

/**
 * The items without the secrets that are split between the pieces of a text.
 * @param redact a whole text; gets the number of the line that it begins in
 */
export const redactPieces = (
  items: readonly TapeItem[],
  redact: (text: string, lineNumber: number) => string,
): TapeItem[] => {
  const fresh = new Map<number, string>();
  for (const run of runsOf(items)) {
    const [first] = run;
    if (first === undefined || run.length < 2) continue;
    const texts = run.map(({ piece }) => piece.text);
    const redacted = spread(texts, (text) => redact(text, items[first.at]?.lineNumber ?? 0));
    run.forEach(({ at, piece }, i) => {
      const text = redacted[i] ?? '';
      if (text !== piece.text) fresh.set(at, JSON.stringify(piece.put(text)));
    });
  }
  return items.map((item, at) => withLine(item, fresh.get(at)));
};

/** The key of the text that a line has a piece of: the same for all of its pieces. */
export const textKey = ({ dir, seam = '' }: Pick<Entry, 'dir' | 'seam'>, { key }: Piece): string =>
  `${dir} ${seam} ${key}`;

/** Drops `bytes`: those of a line that is not UTF-8 would still hold what was removed. */
const withLine = (item: TapeItem, line: string | undefined): TapeItem => {
  if (item.kind !== 'entry' || line === undefined) return item;
  const { bytes, ...entry } = item.entry;
  return { ...item, entry: { ...entry, line } };
};

const runsOf = (items: readonly TapeItem[]): Iterable<Run> => {
  const runs = new Map<string, Run>();
  items.forEach((item, at) => {
    const piece = item.kind === 'entry' ? pieceIn(item.entry.line) : undefined;
    if (piece === undefined || item.kind !== 'entry') return;
    const key = textKey(item.entry, piece);
    const run = runs.get(key) ?? [];
    run.push({ at, piece });
    runs.set(key, run);
  });
  return runs.values();
};

/** A line that is not JSON, or nests too deep, is a text of its own. */
const pieceIn = (line: string): Piece | undefined => {
  try {
    return pieceOf(JSON.parse(line));
  } catch {
    return undefined;
  }
};
