/** How secrets begin, for a check faster than all their patterns together. A pattern whose beginning is missing here fails the spec of mayHoldSecret. */
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
export const TOKEN_THERE = new RegExp(withBeginning.join('|'), 'y');

/** A byte of UTF-8 may look like a non-ASCII blank, at which lines are not split. */
const NO_BLANK = (others: string): string => `[^ \\t-\\r${others}]`;

/** Matches clues that may have any case, or are not the beginning of a secret; and personal data, which is removed from tapes. */
export const CLUE_THERE = new RegExp(
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
export const STARTS: readonly string[] = [
  '--- eyj sk- gho ghp ghr ghs ghu git glp xox xap npm pyp hf_ gsk xai rk_ sk_ aiz aki asi abi acc ya0 0// goc sg. hoo dis .we :aa',
  'whs dap doo dop dor hvb hvr hvs .at ata atc atb shp ntn sec lin r0_ ppl glr gld glc gls glf gli gla glo gr0 sbp sb_ hrk tsk fig',
  'pat pma nra nri nrj nrr snt dp. psc pul fly fm0 dck rub cio key -us xke eaa sq0 sl. v0. 0q~ lta age ops a0- ese nva tgp pcs lsv',
  'vcp vci vck vca vcr nfp nfc nfo nfu eza ezt duf fio tfp pnu pnb rdm aio dt0 bku bka bkp cci sk0 ska skb skc skd ske skf ac0 aca',
  'acb acd ace acf aut api pri tok pas cre coo see rec bac bea ?si &si ?ke &ke ?x- &x- aws cur ssh mys mar mac :// :0: :00 :*: /ho /us \\us',
  'chu bas',
].flatMap((row) => row.split(' '));
