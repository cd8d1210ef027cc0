/** Takes secrets out of texts that a session sends in pieces: a secret may begin in one message and end in another. */
import { type Found, REDACTED } from '../../io/log/redactText';
import { isObject } from '../../protocol/jsonrpc/json';
import type { Pausing } from '../../streams/pausing';
import type { Entry, TapeItem } from './tape';

/** The pieces of one text, each with its place among the items. */
type Run = { at: number; piece: Piece }[];

/**
 * The items without the secrets that are split between the pieces of a text.
 * @param find the secrets of a whole text; gets the number of the line that it begins in
 */
export function* redactPieces(
  items: readonly TapeItem[],
  find: (text: string, lineNumber: number) => Pausing<readonly Found[]>,
): Pausing<TapeItem[]> {
  const fresh = new Map<number, string>();
  for (const run of runsOf(items)) {
    const [first] = run;
    if (first === undefined || run.length < 2) continue;
    const texts = run.map(({ piece }) => piece.text);
    const redacted = spread(texts, yield* find(texts.join(''), items[first.at]?.lineNumber ?? 0));
    run.forEach(({ at, piece }, i) => {
      const text = redacted[i] ?? '';
      if (text !== piece.text) fresh.set(at, JSON.stringify(piece.put(text)));
    });
  }
  return items.map((item, at) => withLine(item, fresh.get(at)));
}

/** The key of the text that a piece belongs to: the same for all pieces of the text. */
export const textKey = ({ dir, seam = '' }: Pick<Entry, 'dir' | 'seam'>, { key }: Piece): string =>
  `${dir} ${seam} ${key}`;

/** Drops `bytes`, which would still hold what was removed. */
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

/** Members that hold a piece of a text; `data` next to a MIME type is a whole picture. Source of `data`: codex-acp 2.6, `terminal_output_delta`. */
const TEXTS = ['delta', 'content', 'arguments', 'text', 'partial_json', 'thinking', 'data'];
/** Members that hold a piece of bytes, as base64. */
const BYTES = ['chunk', 'deltaBase64'];

/** The member whose number distinguishes the events of two calls; other numbers, such as the number of an event, differ between pieces of one text. */
const REQUEST = 'requestId';

type Piece = {
  /** The same for all pieces of a text. */
  key: string;
  text: string;
  /** The message with another text in the piece's place. */
  put: (text: string) => unknown;
};

/** The piece in a message: in an event or a method whose name ends with `delta`, or in output of a process; undefined for any other message. */
export const pieceOf = (message: unknown): Piece | undefined => {
  const place = placeOf(message, false);
  if (place === undefined) return undefined;
  const { holder, name } = place;
  const isBytes = BYTES.includes(name);
  const value = holder[name] as string;
  const replaced = (text: string) => replace(message, holder, { ...holder, [name]: text });
  return {
    key: JSON.stringify(replaced(''), (at, part) => (typeof part === 'number' && at !== REQUEST ? 0 : part)),
    text: isBytes ? Buffer.from(value, 'base64').toString('latin1') : value,
    put: (text) => replaced(isBytes ? Buffer.from(text, 'latin1').toString('base64') : text),
  };
};

/** Whether lines may hold a piece: a quick test. JSON can write a letter as an escape. */
export const mayBePiece = (lines: string): boolean => /delta|_chunk|process\\?\/output|\\u/i.test(lines);

type Place = { holder: Record<string, unknown>; name: string };

/** The innermost object that holds a piece, below an object whose method or type names a piece, or a member `delta` or `…_delta`. */
const placeOf = (value: unknown, isDelta: boolean): Place | undefined => {
  if (Array.isArray(value)) return value.length === 1 ? placeOf(value[0], isDelta) : undefined;
  if (!isObject(value)) return undefined;
  const says =
    isDelta ||
    [value.method, value.type, value.sessionUpdate].some((name) => typeof name === 'string' && PIECES.test(name));
  for (const [name, inner] of Object.entries(value)) {
    const found = placeOf(inner, says || /(?:^|_)delta$/.test(name));
    if (found !== undefined) return found;
  }
  const name = [...TEXTS, ...BYTES].find((one) => typeof value[one] === 'string');
  return says && name !== undefined && !('mimeType' in value) ? { holder: value, name } : undefined;
};

const PIECES = /(?:delta|_chunk)$|^process\/output$/i;

const replace = (value: unknown, holder: object, by: object): unknown => {
  if (value === holder) return by;
  if (Array.isArray(value)) return value.map((one) => replace(one, holder, by));
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replace(one, holder, by)]))
    : value;
};

/** The pieces of one text without its secrets. A secret is replaced in the piece in which it begins, and left out of the others. */
export const spread = (pieces: readonly string[], found: readonly Found[]): readonly string[] => {
  let [start, next] = [0, 0]; // of the piece, and the first secret that does not end before it
  return pieces.map((piece) => {
    const end = start + piece.length;
    const parts: string[] = [];
    let at = start;
    for (; next < found.length; next += 1) {
      const { from, to, by = REDACTED } = found[next] as Found;
      if (from >= end) break;
      parts.push(piece.slice(at - start, Math.max(0, from - start)), from >= start ? by : '');
      at = Math.min(to, end);
      if (to > end) break;
    }
    parts.push(piece.slice(at - start));
    start = end;
    return parts.join('');
  });
};
