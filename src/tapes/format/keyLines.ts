/** Takes a private key out of lines that each hold a part of it: a stream of lines is one text. */
import { REDACTED } from '../../io/log/redactText';
import { isObject, parseJson } from '../../protocol/jsonrpc/json';

/** Follows the keys in the streams of a session. */
export type KeyLines = {
  /** The line without its part of a key. @param stream names the lines that belong together */
  line: (stream: string, line: string) => string;
  /** A key has begun in some stream, and has not ended. */
  isOpen: () => boolean;
};

const BEGIN = /-{4,5} ?BEGIN [A-Za-z0-9 ]{0,40}(?:PRIVATE KEY|Static key)[A-Za-z0-9 ]{0,10} ?-{4,5}|Private-Lines: /g;
const END = /-{4,5} ?END |Private-MAC: /;

/** Lines without a part of the key, such as those of other messages, after which it counts as ended. */
const MAX_OTHERS = 64;

/** Starts without an open key. */
export const keyLines = (onRemoved: (kind: string) => void): KeyLines => {
  const open = new Map<string, number>();
  const line: KeyLines['line'] = (stream, before) => {
    const others = open.get(stream);
    const after = others === undefined ? before : withoutKey(before);
    if (after !== before) onRemoved('private key');
    if (isBegun(before)) open.set(stream, 0);
    else if (others !== undefined && (END.test(before) || others >= MAX_OTHERS)) open.delete(stream);
    else if (others !== undefined) open.set(stream, after === before ? others + 1 : 0);
    return after;
  };
  return { line, isOpen: () => open.size > 0 };
};

/** Whether a key begins in a text that does not end in it. */
const isBegun = (text: string): boolean => {
  const begin = [...text.matchAll(BEGIN)].at(-1);
  return begin !== undefined && !END.test(text.slice(begin.index + begin[0].length));
};

/** A message keeps its members; only texts that are parts of a key are removed. */
const withoutKey = (line: string): string => {
  const message = parseJson(line);
  if (!isObject(message) && !Array.isArray(message)) return withoutPart(line);
  return JSON.stringify(message, (_, value) => (typeof value === 'string' && isPart(value) ? REDACTED : value));
};

/** Base64 as mixed as that of a key, or padded. */
const isPart = (text: string): boolean =>
  /^[A-Za-z0-9+/\r\n]{4,}={0,2}$/.test(text.trimEnd()) &&
  (text.trimEnd().endsWith('=') || (/\d|\+/.test(text) && /[A-Z]/.test(text)) || /\w{48}/.test(text));

/** A line of a key is one word, or a header; a log may have something before it. */
const withoutPart = (line: string): string => {
  if (END.test(line) || line.trim() === '') return line;
  if (/^(?:\S+|[A-Z][A-Za-z-]+: .*)$/.test(line.trim())) return REDACTED;
  return line.replace(/[A-Za-z0-9+/]{16,}={0,2}|(?<!\S)\S*=$/g, REDACTED);
};
