/** Judges whether a text is a newly generated id in the place of another: both have the same form and look random, and their place suggests an id. */

/** Begins with a time of 2004 to 2039. Source: github.com/ulid/spec */
const ULID = /^(?:01[\dA-HJKMNP-TV-Z]{24}|01[\da-hjkmnp-tv-z]{24})$/;
const PREFIX = /^([A-Za-z]{2,12})[_-]/;
/** Lengths of hashes in hex digits: SHA-1, SHA-2 and longer. */
const HASH_LENGTHS = new Set([40, 56, 64, 96, 128]);

/** A date in digits, with a time or without. */
const DATE = /^(?:19|20)\d{6}(?:\d{6})?$/;

const MIN_CHARS = 8;
/** The least length of an id with dashes or underscores. */
const MIN_JOINED_CHARS = 16;
const MIN_DIGITS: Partial<Record<IdPlace, number>> = { id: 9, passingId: 6 };
const MIN_DISTINCT = 5;
/** Changes between digits, small and capital letters. */
const MIN_CHANGES = 2;
/** The share of equal characters at equal places in the second half. */
const MAX_ALIKE = 0.5;
/** Letters of a word, and the share of words from which a text is made of words. */
const MIN_WORD = 3;
const WORDY = 0.5;

/**
 * Whether `now` is a generated id in the place of another. Both have the same beginning, length and alphabet; what differs is no word and no counter;
 * in a place for any id also no short number and no hash. A ULID is an id in every place, except for values derived from content; in an opaque place
 * everything is.
 */
export const isNewId = (recorded: string, now: string, place: IdPlace): boolean => {
  if (recorded === now || place === 'content') return false;
  if (place === 'opaque') return true;
  const sides: Sides = [recorded, now];
  if (sides.every((text) => ULID.test(text))) return isChanged(sides);
  const prefixes = sides.map((text) => PREFIX.exec(text)?.[1]);
  const prefix = prefixes[0] !== undefined && prefixes[0] === prefixes[1] ? prefixes[0] : undefined;
  const ofPrefix = prefix === undefined ? 'other' : placeOfPrefix(prefix);
  if (ofPrefix === 'content') return false;
  const from = prefix === undefined ? 0 : prefix.length + 1;
  return isNewBody([recorded.slice(from), now.slice(from)], place === 'other' ? ofPrefix : place);
};

type Sides = readonly [string, string];

const isNewBody = (sides: Sides, place: IdPlace): boolean => {
  if (place === 'other' || place === 'content') return false;
  const both = (pattern: RegExp): boolean => sides.every((text) => pattern.test(text));
  if (both(/^\d+$/)) return !both(DATE) && isNewNumber(sides, MIN_DIGITS[place]);
  if (both(/^[\da-f]+$/) || both(/^[\dA-F]+$/)) return isNewHex(sides, place);
  if (!hasLengthOfOther(sides) || sides.some(hasFewCharacters) || !isChanged(sides) || !hasSameLetters(sides))
    return false;
  if (!both(/^[A-Za-z\d]+$/) && !(both(/^[\w-]+$/) && sides[0].length >= MIN_JOINED_CHARS)) return false;
  return sides.some((text) => countChanges(text) >= MIN_CHANGES) && !sides.some(isWordy);
};

const isNewNumber = (sides: Sides, minDigits: number | undefined): boolean =>
  minDigits !== undefined &&
  sides.every(({ length }) => length >= minDigits) &&
  Math.abs(sides[0].length - sides[1].length) <= 1 &&
  isChanged(sides);

const isNewHex = (sides: Sides, place: IdPlace): boolean => {
  const [{ length }, now] = sides;
  if (length !== now.length || length < MIN_CHARS || (place === 'id' && HASH_LENGTHS.has(length))) return false;
  return (
    isChanged(sides) && !sides.some(hasFewCharacters) && /\d/.test(sides.join('')) && /[a-f]/i.test(sides.join(''))
  );
};

/** Random numbers in base 36 are written without trailing zeros, so that their lengths may differ. */
const hasLengthOfOther = ([a, b]: Sides): boolean => {
  if (a.length === b.length) return a.length >= MIN_CHARS;
  return [a, b].every((text) => /^[a-z\d]{9,}$/.test(text)) && Math.abs(a.length - b.length) <= 2;
};

const hasSameLetters = ([a, b]: Sides): boolean =>
  [/[a-z]/, /[A-Z]/].every((letters) => letters.test(a) === letters.test(b));

/** False if a counter advances, or if only one word of a text differs. */
const isChanged = ([a, b]: Sides): boolean => {
  const tail = [...a].slice(Math.floor(a.length / 2));
  const alike = tail.filter((character, i) => character === b[Math.floor(a.length / 2) + i]).length;
  return alike <= MAX_ALIKE * tail.length;
};

const hasFewCharacters = (text: string): boolean => new Set(text).size < MIN_DISTINCT;

const kindOf = (character: string): string => {
  if (/\d/.test(character)) return 'digit';
  return character === character.toLowerCase() ? 'small' : 'capital';
};

const countChanges = (text: string): number => {
  const kinds = [...text.replace(/[_-]/g, '')].map(kindOf);
  return kinds.filter((kind, i) => i > 0 && kind !== kinds[i - 1]).length;
};

/** Letters that often follow a letter in the words of technical English; random letters have one of these pairs in two of five places. */
const FOLLOWERS: Readonly<Record<string, string>> = {
  a: 'bcdfgiklmnprstuvwy',
  b: 'aeilorsu',
  c: 'acehiklorstuy',
  d: 'adegilorsuy',
  e: 'abcdefghilmnopqrstuvwxy',
  f: 'aefilortuy',
  g: 'aeghilnorsu',
  h: 'aeimortuy',
  i: 'abcdefgklmnoprstvxz',
  j: 'aeosu',
  k: 'aeis',
  l: 'adeilopstuvy',
  m: 'abeilmopsu',
  n: 'abcdefghiklnopstuvy',
  o: 'abcdefgiklmnoprstuvwx',
  p: 'aehiloprstu',
  q: 'u',
  r: 'abcdefgiklmnoprstuvy',
  s: 'acefhiklmopstuwy',
  t: 'acehilorstuwy',
  u: 'abcdegilmnprst',
  v: 'aeio',
  w: 'aehinors',
  x: 'ceipt',
  y: 'aeinps',
  z: 'aei',
};

const couldBeWord = (letters: string): boolean =>
  [...letters.toLowerCase()].every((letter, i, all) => i === 0 || FOLLOWERS[all[i - 1] as string]?.includes(letter));

/** Runs of letters: small letters after an optional capital, or capitals only. */
const RUN = /[A-Z]?[a-z]{2,}|[A-Z]{3,}/g;

const isWordy = (text: string): boolean => {
  const words = (text.match(RUN) ?? []).filter((run) => run.length >= MIN_WORD && couldBeWord(run));
  return words.join('').length >= WORDY * text.length;
};

/** What a place suggests about the value in it. */
export type IdPlace =
  | 'opaque' // an id by the protocol, of any form
  | 'id' // any id
  | 'passing' // something that lives for a session at most, such as a request or a task
  | 'passingId' // the same, and its name has `id` in it
  | 'content' // derived from content, such as a hash
  | 'other'; // nothing suggests an id

const ID = new Set('id guid uuid uid'.split(' '));
const PASSING = new Set(
  (
    'session sess request req trace span correlation transaction txn nonce cursor token handle lease connection conn subscription thread turn ' +
    'task job run call conversation conv invocation execution operation ticket upload batch'
  ).split(' '),
);
/** Beginnings of ids, before a dash or an underscore. */
const PREFIXES = new Set([...PASSING, ...'resp msg evt item toolu chatcmpl cur tok proc exec op sub'.split(' ')]);
const CONTENT =
  /^(?:sha\d*|md\d|crc\d*|hash|digest|checksum|etag|commit|revision|rev|version|ver|blob|tree|image|layer|build|fingerprint|signature|integrity|content|file|path|model|schema|config)s?$/;

/**
 * The place in a member, or after words of a text.
 * @param names in camel case or with dashes and underscores; the last counts most
 */
export const placeOf = (...names: string[]): IdPlace => {
  const words = names.flatMap(toWords);
  if (words.some((word) => CONTENT.test(word))) return 'content';
  const singular = words.map((word) => word.replace(/s$/, ''));
  const last = singular.at(-1) ?? '';
  if (ID.has(last)) return singular.some((word) => PASSING.has(word)) ? 'passingId' : 'id';
  return PASSING.has(last) ? 'passing' : 'other';
};

/** The place that the prefix of an id suggests. */
export const placeOfPrefix = (prefix: string): IdPlace => {
  const word = prefix.toLowerCase();
  if (CONTENT.test(word)) return 'content';
  return PREFIXES.has(word) ? 'passing' : 'other';
};

const toWords = (name: string): string[] =>
  name
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, '-')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');

/** Words between the name of an id and the id. */
const FILLER = /^(?:is|was|are|with|as|new|named|called|created|started|opened|began|got|has|the)$/i;
/** The characters between the last word and the id. */
const JOINT = /^[\s:=#"'`([</]{1,4}$/;
const WORD = /[A-Za-z][\w-]*/g;
/** How far before an id its name is searched, in characters. */
const MAX_CHARS = 48;

/** The place after a text, by its last two words. */
export const placeBehind = (before: string): IdPlace => {
  const words = [...before.slice(-MAX_CHARS).matchAll(WORD)];
  const last = words.at(-1);
  if (last === undefined) return 'other';
  const end = before.length - Math.min(before.length, MAX_CHARS) + last.index + last[0].length;
  if (!JOINT.test(before.slice(end))) return 'other';
  const names = words.map(([word]) => word).filter((word) => !FILLER.test(word));
  return placeOf(...names.slice(-2));
};
