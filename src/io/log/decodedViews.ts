/**
 * Views of a text, as its readers decode it: without colours, with the escapes of JSON, URLs, HTML and programs decoded, several times if one is within
 * the other. A secret has its boundaries in one of them; what is found there is removed from the text itself.
 */
import type { Place } from './generatedTokens';

/** A view of a text. */
export type View = {
  /** The decoded text. */
  text: string;
  /** The place in the text as it was written. */
  placeOf: (at: number) => number;
};

/** Texts within texts within texts. Deeper escapes stay as they are. */
const MAX_VIEWS = 10;

/** The text as it was written, then its views, the least decoded first; undefined for a pause. */
export function* viewsOf(text: string): Generator<View | undefined, void> {
  let view: View | undefined = { text, placeOf: (at) => at };
  yield view;
  for (let count = 1; view !== undefined && count < MAX_VIEWS; ) {
    const seen: readonly View[] = hasSequence(view.text)
      ? [without(view, ''), without(view, ' ')]
      : yield* decoded(view);
    yield* seen;
    count += seen.length;
    view = seen.at(-1);
  }
}

/** Sequences of a terminal: colours and the like, titles and links. */
export const SEQUENCE =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[\]P^_X][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]?/g;

const hasSequence = (text: string): boolean => text.includes('\u001b') || text.includes('\u009b');

/** The view with other characters instead of sequences: they separate words, or stand within a word whose letters they paint. */
const without = (view: View, by: string): View => {
  const writer = writerOf(view);
  for (const { 0: all, index } of view.text.matchAll(SEQUENCE)) writer.replace(index, index + all.length, by);
  return writer.end();
};

/** The view with each escape decoded; none if it has no escape. */
function* decoded(view: View): Generator<undefined, readonly View[]> {
  const { text } = view;
  const writer = writerOf(view);
  let isSame = true;
  for (let at = 0; at < text.length; at += 1) {
    if ((at & (STEP - 1)) === 0) yield undefined;
    const found = escapeAt(text, at);
    if (found === undefined) continue;
    writer.replace(at, found.to, found.char);
    at = found.to - 1;
    isSame = false;
  }
  return isSame ? [] : [writer.end()];
}

/** How many characters are read without a pause. */
const STEP = 65_536;

const escapeAt = (text: string, at: number): Escape | undefined => {
  const code = text.charCodeAt(at);
  if (code === BACKSLASH) return behindBackslash(text, at + 1);
  if (code === PERCENT) return hexAt(text, at + 1, 2);
  return code === AMPERSAND ? entityAt(text, at) : undefined;
};

const [BACKSLASH, PERCENT, AMPERSAND] = [92, 37, 38];

/** What an escape stands for, and where it ends. */
type Escape = { char: string; to: number };

const LETTERS: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  '`': '`',
};
const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'", nbsp: ' ' };

const behindBackslash = (text: string, at: number): Escape | undefined => {
  const letter = text[at] ?? '';
  const char = LETTERS[letter];
  if (char !== undefined) return { char, to: at + 1 };
  if (letter === 'x') return hexAt(text, at + 1, 2);
  if (letter === 'u') return hexAt(text, at + 1, 4) ?? matchAt(BRACED, text, at + 1);
  return matchAt(OCTAL, text, at);
};

type Digits = readonly [base: number, pattern: RegExp];
const BRACED: Digits = [16, /\{([\da-fA-F]{1,6})\}/y];
const OCTAL: Digits = [8, /([0-3][0-7]{2})/y];
const DECIMAL: Digits = [10, /&#(\d{1,7});/y];
const HEX: Digits = [16, /&#x([\da-fA-F]{1,6});/y];
const NAMED = /&(quot|amp|lt|gt|apos|nbsp);/y;

const entityAt = (text: string, at: number): Escape | undefined => {
  if (text[at + 1] === '#') return matchAt(DECIMAL, text, at) ?? matchAt(HEX, text, at);
  NAMED.lastIndex = at;
  const name = NAMED.exec(text)?.[1];
  return name === undefined ? undefined : { char: ENTITIES[name] as string, to: NAMED.lastIndex };
};

const matchAt = ([base, pattern]: Digits, text: string, at: number): Escape | undefined => {
  pattern.lastIndex = at;
  const digits = pattern.exec(text)?.[1];
  return digits === undefined ? undefined : { char: charOf(Number.parseInt(digits, base)), to: pattern.lastIndex };
};

const hexAt = (text: string, at: number, count: number): Escape | undefined => {
  let code = 0;
  for (let i = at; i < at + count; i += 1) {
    const digit = DIGITS[text.charCodeAt(i)] ?? NO_DIGIT;
    if (digit === NO_DIGIT) return undefined;
    code = code * 16 + digit;
  }
  return { char: String.fromCharCode(code), to: at + count };
};

const NO_DIGIT = 16;
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? NO_DIGIT : digit;
});

const charOf = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : ' ');

/** Writes a view of a view, character by character: a text may have an escape for each of them. */
const writerOf = ({ text, placeOf }: View) => {
  const codes = new Uint16Array(text.length + 1);
  const places = new Uint32Array(text.length + 2);
  let [done, length] = [0, 0];
  const put = (code: number, place: number): void => {
    codes[length] = code;
    places[length] = place;
    length += 1;
  };
  const keepTo = (to: number): void => {
    for (; done < to; done += 1) put(text.charCodeAt(done), done);
  };
  const replace = (from: number, to: number, by: string): void => {
    keepTo(from);
    for (let i = 0; i < by.length; i += 1) put(by.charCodeAt(i), from);
    done = to;
  };
  const end = (): View => {
    keepTo(text.length);
    places[length] = text.length;
    return { text: toText(codes.subarray(0, length)), placeOf: (at) => placeOf(places[at] as number) };
  };
  return { replace, end };
};

/** As one byte for each character, if possible: such texts are searched twice as fast. */
const toText = (codes: Uint16Array): string =>
  codes.every((code) => code < 256)
    ? Buffer.from(codes).toString('latin1')
    : Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength).toString('utf16le');

/** A place that cuts an escape begins behind it, or ends before it. */
export const withWholeEscapes = <P extends Place>(text: string, place: P): P => {
  const cutsFirst = isEscaping(text, place.from - 1) && /[bfnrt"\\/]/.test(text[place.from] ?? '');
  const cutsLast = isEscaping(text, place.to - 1);
  return cutsFirst || cutsLast
    ? { ...place, from: place.from + (cutsFirst ? 1 : 0), to: place.to - (cutsLast ? 1 : 0) }
    : place;
};

/** Whether the character is a backslash that escapes the next one. */
const isEscaping = (text: string, at: number): boolean => {
  let from = at;
  while (from >= 0 && text[from] === '\\') from -= 1;
  return (at - from) % 2 === 1;
};
