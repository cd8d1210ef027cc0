/** Takes secrets out of texts that a session sends in pieces: a secret may begin in one message and end in another. */
import { isObject } from '../../protocol/jsonrpc/json';

/** Members that hold a piece of a text, and those that hold a piece of bytes as base64. */
const TEXTS = ['delta', 'content', 'arguments', 'text'];
const BYTES = ['chunk', 'deltaBase64'];

/** The member whose number tells the events of one call from those of another; other numbers, such as that of an event, differ between the pieces of a text. */
const REQUEST = 'requestId';

/** Where a message holds its piece. `key` is the same for all pieces of a text. */
export type Piece = { key: string; text: string; put: (text: string) => unknown };

/**
 * The piece of a text that a message is, undefined for every other message: an event or a method with `delta` in its name, or
 * output of a process.
 */
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
export const mayBePiece = (lines: string): boolean => /delta|process\\?\/output|\\u/i.test(lines);

type Place = { holder: Record<string, unknown>; name: string };

/** The innermost object that holds a piece, below an object whose method or type names a piece, or a member `delta`. */
const placeOf = (value: unknown, isDelta: boolean): Place | undefined => {
  if (Array.isArray(value)) return value.length === 1 ? placeOf(value[0], isDelta) : undefined;
  if (!isObject(value)) return undefined;
  const says = isDelta || [value.method, value.type].some((name) => typeof name === 'string' && PIECES.test(name));
  for (const [name, inner] of Object.entries(value)) {
    const found = placeOf(inner, says || name === 'delta');
    if (found !== undefined) return found;
  }
  const name = [...TEXTS, ...BYTES].find((one) => typeof value[one] === 'string');
  return says && name !== undefined ? { holder: value, name } : undefined;
};

const PIECES = /delta$|^process\/output$/i;

const replace = (value: unknown, holder: object, by: object): unknown => {
  if (value === holder) return by;
  if (Array.isArray(value)) return value.map((one) => replace(one, holder, by));
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replace(one, holder, by)]))
    : value;
};

/**
 * The pieces of one text without its secrets. A piece that no secret touches stays as it is; the piece in which the first secret begins
 * takes all text from there to the end of the last secret, and the pieces in between become empty.
 */
export const spread = (pieces: readonly string[], redact: (text: string) => string): readonly string[] => {
  const whole = pieces.join('');
  const redacted = redact(whole);
  if (redacted === whole) return pieces;
  const shortest = Math.min(whole.length, redacted.length);
  const from = countWhile(shortest, (i) => whole[i] === redacted[i]);
  const behind = countWhile(shortest - from, (i) => whole.at(-1 - i) === redacted.at(-1 - i));
  const middle = redacted.slice(from, redacted.length - behind);
  const to = whole.length - behind;
  const ends = endsOf(pieces);
  const first = ends.findIndex((end) => end > from);
  return pieces.map((piece, i) => {
    const start = (ends[i] as number) - piece.length;
    const before = piece.slice(0, Math.max(0, from - start));
    const after = piece.slice(Math.max(0, to - start));
    return before + (i === first ? middle : '') + after;
  });
};

/** Where each piece ends in the whole text. */
const endsOf = (pieces: readonly string[]): readonly number[] => {
  let end = 0;
  return pieces.map((piece) => {
    end += piece.length;
    return end;
  });
};

const countWhile = (limit: number, fits: (i: number) => boolean): number => {
  let count = 0;
  while (count < limit && fits(count)) count += 1;
  return count;
};
