/** Judges from names and words whether a value may be a generated id. */

/**
 * `id`: any id. `passing`: something that lives for a session at most, such as a request or a task; `passingId`: the same, and the name has `id` in it.
 * `content`: derived from content, such as a hash. `other`: nothing suggests an id.
 */
export type IdPlace = 'id' | 'passing' | 'passingId' | 'content' | 'other';

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

/** The place in a member, or after words of a text. @param names in camel case or with dashes and underscores; the last says most */
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
/** How many characters before an id its name is looked for. */
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
