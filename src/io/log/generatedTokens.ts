/**
 * Finds tokens that a program generated, whoever issued them: what no person would have written, unless it is known to be harmless. Own code: gitleaks and
 * secretlint list issuers, and know none of the made-up issuers in `spec/attack/redactedTapes`.
 */

/** A place in a text. */
export type Place = { from: number; to: number };

/** What may contain a token: letters and digits, joined. A shorter word has none. */
const WORD = /[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9_])?/g;
const MIN_WORD_CHARS = 22;

/** Characters of the generated part behind a prefix such as `npm_`, of hexadecimal digits there, and without a prefix. */
const MIN_BEHIND_PREFIX = 20;
const MIN_HEX = 32;
const MIN_ALONE = 32;
const MIN_ALONE_IN_ONE_CASE = 40;
/** What is longer is data. */
const MAX_CHARS = 2048;

/** Prefixes of what is no secret: ids of models, calls and threads, checksums, versions, files; the last word of a prefix, or its first. */
const HARMLESS = new Set(
  [
    'call msg resp rs ws ig ctc ctco lsh item chatcmpl cmpl gen toolu srvtoolu req request run step thread thrd asst file vs batch ft',
    'turn session sess sid conv conversation event evt trace span user usr org proj project team workspace acct account cus task job id',
    'uuid ulid urn model snapshot sha sha1 sha224 sha256 sha384 sha512 md5 blake3 h1 crc etag hash digest checksum integrity commit rev',
    'ref tree blob tag version build release chunk index main vendor asset bundle worker layer image container pod node host tmp temp',
    'app client cache lock rollout codex turbo page row doc document message channel guild room entry record object bucket test case example',
  ].flatMap((row) => row.split(' ')),
);

/** The names of files; a token ends otherwise. */
const FILE_NAME =
  /\.(?:[cm]?[jt]sx?|json[l5]?|css|map|html?|md|txt|log|png|jpe?g|svg|gif|woff2?|wasm|py|rs|go|so|dll|gz|zip|tgz|ya?ml|toml|lock)$/;

/** The places of the tokens in a text. */
export const generatedTokensIn = (text: string): readonly Place[] => {
  const places: Place[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const [from, to] = [index, index + word.length];
    if (word.length < MIN_WORD_CHARS || word.length > MAX_CHARS || !/\d/.test(word)) continue;
    const isPartOfData = IN_DATA.test(text[from - 1] ?? '') || IN_DATA.test(text[to] ?? '');
    if (hasToken(word.split(/[-_.]/), isPartOfData) && !isHarmless(word)) places.push({ from, to });
  }
  return places;
};

/** Characters of base64 and of paths, which words do not have. */
const IN_DATA = /^[/+]$/;

const hasToken = (parts: readonly string[], isPartOfData: boolean): boolean => {
  const [first = ''] = parts;
  if (!isPartOfData && isTokenAlone(first)) return true;
  if (!/^[A-Za-z]/.test(first) || HARMLESS.has(first.toLowerCase()) || (first.length > 6 && HEX.test(first)))
    return false;
  return parts.some((part, i) => i > 0 && isTokenBehind(parts[i - 1] as string, part));
};

/** Public keys of SSH, what is encrypted by Fernet, ids of calls, names of files. */
const isHarmless = (word: string): boolean =>
  /^(?:AAAA[BCE]|gAAAAA|fc_)/.test(word) || FILE_NAME.test(word) || isReadable(word);

/** Whether a word is text in base64, which is searched as that text. */
const isReadable = (word: string): boolean =>
  /^[\x20-\x7e\s]{12}/.test(Buffer.from(word.slice(0, 64), 'base64').toString('latin1'));

const isTokenBehind = (name: string, part: string): boolean => {
  if (part.length < MIN_BEHIND_PREFIX || HARMLESS.has(name.toLowerCase())) return false;
  return HEX.test(part) ? part.length >= MIN_HEX : isMixed(part);
};

const HEX = /^(?:[\da-f]+|[\dA-F]+)$/;

const isTokenAlone = (part: string): boolean => {
  if (part.length < MIN_ALONE || HEX.test(part)) return false;
  const { digits, upper, lower, turns, pairs } = countIn(part);
  if (upper >= 4 && lower >= 4) return digits >= 2 && turns + pairs >= 0.27 * part.length;
  return part.length >= MIN_ALONE_IN_ONE_CASE && digits >= 6 && turns >= 0.25 * part.length;
};

/** True for letters and digits as random as those of a secret: words that are joined without a mark have few digits, and few capitals in a row. */
export const isMixed = (part: string): boolean => {
  const { digits, upper, lower, turns, pairs, changes } = countIn(part);
  if (upper === 0 || lower === 0) return digits >= 3 && turns >= 0.2 * part.length;
  return turns + pairs >= 0.25 * part.length || (digits > 0 && changes >= (digits > 1 ? 0.42 : 0.5) * part.length);
};

/** How many characters of each kind, how often letters and digits take turns, two capitals follow each other, and the kind changes. */
const countIn = (part: string) => {
  const counts = [0, 0, 0];
  let [turns, pairs, changes, last] = [0, 0, 0, -1];
  for (let at = 0; at < part.length; at += 1) {
    const char = part[at] as string;
    const kind = char <= '9' ? 0 : char <= 'Z' ? 1 : 2;
    counts[kind] = (counts[kind] as number) + 1;
    if (last !== -1 && (kind === 0) !== (last === 0)) turns += 1;
    if (kind === 1 && last === 1) pairs += 1;
    if (last !== -1 && kind !== last) changes += 1;
    last = kind;
  }
  const [digits = 0, upper = 0, lower = 0] = counts;
  return { digits, upper, lower, turns, pairs, changes };
};
