/**
 * A quick check whether a text may contain a secret. A recorder runs it on each line: trying a hundred patterns one by one takes twenty times as long for
 * a text in which none of them matches.
 */
import { SECRET_NAME } from './secretNames';
import { TOKENS } from './secretShapes';

/** A pattern without its conditions on its surroundings, which JSON changes: there a line break is a backslash and a letter. */
const relaxed = (pattern: RegExp): string => pattern.source.replaceAll('\\b', '').replaceAll(/\(\?<?[!=][^()]*\)/g, '');

const PARTS = /\[(?:\\.|[^\]\\])*\]|\\.|\{\d+,\}|[*+]|./g;
const UNBOUNDED = /^(?:\{\d+,\}|[*+])$/;

/** A pattern up to its first unbounded part, with the minimum of that: it is tried at many places, and must not read the whole text at each. */
const bounded = (source: string): string => {
  const parts = source.match(PARTS) ?? [];
  const at = parts.findIndex((part) => UNBOUNDED.test(part));
  if (at === -1) return source;
  const last = parts[at] ?? '';
  const least = last === '*' ? '{0}' : last === '+' ? '' : last.replace(',', '');
  const before = parts.slice(0, at);
  const isOpen = before.filter((part) => part === '(').length > before.filter((part) => part === ')').length;
  if (isOpen) return before.slice(0, before.lastIndexOf('(')).join('');
  return before.join('') + least;
};

/** The AWS secret without a name is a run of characters, see `mayHoldSecret`. */
const withBeginning = TOKENS.filter(([kind]) => kind !== 'AWS secret').map(([, pattern]) => bounded(relaxed(pattern)));

/** Matches the beginning of a token. */
const TOKEN_THERE = new RegExp(withBeginning.join('|'), 'y');

/** A byte of UTF-8 may look like a non-ASCII blank, at which lines are not split. */
const NO_BLANK = (others: string): string => `[^ \\t-\\r${others}]`;

/** Matches clues that may have any case, or are not the beginning of a secret; and personal data, which is removed from tapes. */
const CLUE_THERE = new RegExp(
  [
    SECRET_NAME,
    '(?:pass|seed|recovery|backup)[-_ ]?phrase',
    'bearer[\\s\\\\\\x80-\\xff]',
    '\\.atlasv1\\.',
    '-us\\d',
    ':aa[\\w-]{32}',
    '[78]q~',
    '\\.webhook\\.office',
    '[?&](?:sig|key=|x-(?:amz|goog)-sig)',
    'aws|curl|sshpass|mysql|mariadb|machine[\\s\\\\]|auth\\\\*"',
    `://${NO_BLANK('/@')}+@`,
    `:(?:\\d{1,5}|\\*)(?::${NO_BLANK(':')}+){2}:${NO_BLANK(':')}`,
    '/home/|[\\\\/]users[\\\\/]',
    'chunk"|base64"',
  ].join('|'),
  'iy',
);

/** The first three characters of each of them, in any case; a 0 stands for every digit. */
const STARTS: readonly string[] = [
  '--- eyj sk- gho ghp ghr ghs ghu git glp xox xap npm pyp hf_ gsk xai rk_ sk_ aiz aki asi abi acc ya0 0// goc sg. hoo dis .we :aa',
  'whs dap doo dop dor hvb hvr hvs .at ata atc atb shp ntn sec lin r0_ ppl glr gld glc gls glf gli gla glo gr0 sbp sb_ hrk tsk fig',
  'pat pma nra nri nrj nrr snt dp. psc pul fly fm0 dck rub cio key -us xke eaa sq0 sl. v0. 0q~ lta age ops a0- ese nva tgp pcs lsv',
  'vcp vci vck vca vcr nfp nfc nfo nfu eza ezt duf fio tfp pnu pnb rdm aio dt0 bku bka bkp cci sk0 ska skb skc skd ske skf ac0 aca',
  'acb acd ace acf aut api pri tok pas cre coo see rec bac bea ?si &si ?ke &ke ?x- &x- aws cur ssh mys mar mac :// :0: :00 :*: /ho /us \\us',
  'chu bas',
].flatMap((row) => row.split(' '));

const BITS = 5;
const WINDOW = 2 ** (3 * BITS) - 1;
const OTHER_MARKS = 32;

/**
 * Five bits for each ASCII character: letters of either case, all digits, and marks that occur in secrets. `OTHER_MARKS` is added if a
 * character is checked by itself.
 */
const codeOf = (char: string): number => {
  if (/[a-z]/i.test(char)) return char.toLowerCase().charCodeAt(0) - 96;
  const marks = ['0123456789', '-_', '.:@*', '/\\', '?&~'].findIndex((some) => some.includes(char));
  return (marks === -1 ? 0 : 27 + marks) + ('@.\\'.includes(char) ? OTHER_MARKS : 0);
};

const CODES = Uint8Array.from({ length: 128 }, (_, code) => codeOf(String.fromCharCode(code)));
const codeAt = (text: string, at: number): number => CODES[text.charCodeAt(at)] ?? 0;

const windowOf = (start: string): number =>
  [...start].reduce((window, char) => (window << BITS) | (codeOf(char) & (OTHER_MARKS - 1)), 0);

const IS_START = new Uint8Array(WINDOW + 1);
for (const start of STARTS) IS_START[windowOf(start)] = 1;

/**
 * False only if `redactText`, without known values, leaves the text unchanged, and each text in it too if it is JSON, members of bytes
 * included; and if it names no person.
 */
export const mayHoldSecret = (text: string): boolean => {
  let window = 0; // the last three characters
  for (let at = 0; at < text.length; at += 1) {
    const code = codeAt(text, at);
    window = ((window << BITS) | (code & (OTHER_MARKS - 1))) & WINDOW;
    if (IS_START[window] === 1 && beginsAt(text, at - 2)) return true;
    if (code >= OTHER_MARKS && isMark(text, at)) return true;
  }
  return hasMixedRun(text);
};

const matchesAt = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};

const beginsAt = (text: string, at: number): boolean =>
  matchesAt(TOKEN_THERE, text, at) || (matchesAt(CLUE_THERE, text, at) && !isProgressToken(text, at));

/** The name of a member that is an id. */
const PROGRESS_TOKEN = '"progressToken"';
const isProgressToken = (text: string, at: number): boolean => {
  const from = at - PROGRESS_TOKEN.indexOf('Token');
  return text.startsWith(PROGRESS_TOKEN, from) && (text[from - 1] === '{' || text[from - 1] === ',');
};

const ADDRESS = /(?<=[\w.+-])@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,6}\.[a-z]{2}/iy;
const SECOND_PART = /\.[\w-]{6}\.[\w-]{27}/y;
const DOT = 46;

/** An email address, the middle of a Discord token, or a JSON escape that could hide any other character. */
const isMark = (text: string, at: number): boolean => {
  const char = text[at];
  if (char === '\\') return text[at + 1] === 'u' || text[at + 1] === '/';
  if (char === '@') return matchesAt(ADDRESS, text, at);
  return text.charCodeAt(at + 7) === DOT && matchesAt(SECOND_PART, text, at);
};

const RUN = 40;
const IN_RUN = /[A-Za-z0-9/+]/;
const IS_IN_RUN = Uint8Array.from({ length: 128 }, (_, code) => (IN_RUN.test(String.fromCharCode(code)) ? 1 : 0));
const isInRun = (text: string, at: number): boolean => IS_IN_RUN[text.charCodeAt(at)] === 1;

/** An AWS secret alone, see `TOKENS`; after a JSON line break it is one character longer. Every fortieth character falls into such a run. */
const hasMixedRun = (text: string): boolean => {
  for (let at = RUN - 1; at < text.length; at += RUN) {
    if (!isInRun(text, at)) continue;
    let [from, to] = [at, at + 1];
    while (from > 0 && at - from <= RUN && isInRun(text, from - 1)) from -= 1;
    while (to < text.length && to - from <= RUN + 1 && isInRun(text, to)) to += 1;
    if (to - from >= RUN && to - from <= RUN + 1 && isMixed(text.slice(from, to))) return true;
  }
  return false;
};

const isMixed = (run: string): boolean =>
  /(?:\d\D*){2}/.test(run) && /(?:[A-Z][^A-Z]*){6}/.test(run) && /(?:[a-z][^a-z]*){6}/.test(run);
