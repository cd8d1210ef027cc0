/** Decides whether a command may run without asking under every policy, because it only reads: which programs and options do, and which scripts of them. */
import { map, type Observable, of } from 'rxjs';
import { type KnownWords, type ReadScript, type Sequence, scriptOf, type Word } from './script';

/** The options of git that are known to be harmless. They are an allow list, because git has too many harmful options. */
const names = (text: string): string[] => text.trim().split(/\s+/);

const DIFF = names(`--patch --no-patch -p -u -s --stat --shortstat --numstat --dirstat --summary --compact-summary
  --name-only --name-status --raw --full-index --binary --text --minimal --patience --histogram --diff-algorithm
  --unified --inter-hunk-context --function-context -W --color --no-color --color-moved --no-color-moved --color-words
  --word-diff --word-diff-regex --ignore-all-space -w --ignore-space-change -b --ignore-space-at-eol --ignore-blank-lines
  --find-renames --no-renames --find-copies -M -C -R --diff-filter --abbrev --relative --no-relative --no-prefix
  --src-prefix --dst-prefix --check --exit-code --quiet -q -z --no-ext-diff --no-textconv --pickaxe-all --pickaxe-regex`);

const LOG = names(`--oneline --graph --decorate --no-decorate --all --branches --tags --remotes --not --format --pretty
  --abbrev-commit --no-abbrev-commit --date --relative-date --author --committer --grep --invert-grep --all-match -i
  --regexp-ignore-case -E --extended-regexp -F --fixed-strings -P --perl-regexp --since --after --until --before
  --max-count -n --skip --merges --no-merges --first-parent --reverse --follow --full-history --topo-order --date-order
  --author-date-order --left-right --cherry-pick --ancestry-path --simplify-by-decoration --source --parents --children
  --boundary --no-walk --no-notes`);

const STATUS =
  names(`--short -s --branch -b -sb --show-stash --porcelain --long --verbose -v -vv --untracked-files -u -uno
  -unormal -uall --ignored --no-ahead-behind --ahead-behind --renames --no-renames --find-renames --column --no-column -z`);

/** Only with one of these are the operands of `git branch` patterns; otherwise they are names of new branches. */
const LISTING = names('--list --contains --no-contains --merged --no-merged --points-at');
const BRANCH = names(`--all -a --remotes -r --verbose -v -vv -av -avv -va -vva -rv -rvv --show-current
  --ignore-case -i --column --no-column --color --no-color --abbrev --no-abbrev`);

/** Numbers and strings attached to a letter: `-5`, `-U3`, `-M90%`, `-Sname`, `-L1,5:file`. Not for `branch`, where `-Mx` is a rename. */
const STUCK = /^-(?:[UMCn]?\d+%?|[SGL].*)$/s;

/** The name before `=`; short options have none: in `-w=Of` every letter is another option. */
const nameOf = (option: string): string => (/^--[^=]+(?==)/.exec(option) ?? [option])[0];

type IsKnown = (option: string) => boolean;

const oneOf = (options: readonly string[]): IsKnown => {
  const known = new Set(options);
  return (option) => known.has(nameOf(option));
};
const oneOfOrStuck = (options: readonly string[]): IsKnown => {
  const isKnown = oneOf(options);
  return (option) => isKnown(option) || STUCK.test(option);
};

/** `--sort` and `--format` only with `=`: `git branch --sort --list x` takes `--list` for the sort key and makes a branch x. */
const isShown = oneOf([...BRANCH, ...LISTING]);

const COMMANDS = new Map<string, IsKnown>([
  ['diff', oneOfOrStuck([...DIFF, '--cached', '--staged', '--merge-base'])],
  ['log', oneOfOrStuck([...DIFF, ...LOG])],
  ['show', oneOfOrStuck([...DIFF, ...LOG])],
  ['status', oneOf(STATUS)],
  ['branch', (option) => isShown(option) || /^--(?:sort|format)=/.test(option)],
]);

/** A format or sort key that checks a signature, which runs the program that is configured for that. */
const SIGNATURE = /%[-+ ]?G|%\(\*?signature|^(?:--sort=)?-?\*?signature\b/;

/** Words with a dash are judged wherever they stand: an option that takes a value may swallow the `--` before them. */
const isOperand = (arg: string): boolean => !arg.startsWith('-') || arg === '--';

const isListing = (args: readonly string[]): boolean =>
  !args.some(isOperand) || (!args.includes('--') && args.some((arg) => LISTING.includes(nameOf(arg))));

/**
 * True for `git branch|diff|log|show|status` with harmless options only; `git branch` only if it lists.
 * What argv cannot show: the configuration of a hostile repository or user (core.fsmonitor, diff.external, textconv, gpg.program,
 * pretty.*, a promisor remote) names programs that these commands run; so does a bare repository in a folder that a script
 * enters with `cd`. Whoever runs them can prevent that: GIT_CONFIG_COUNT with core.fsmonitor=false and safe.bareRepository=explicit,
 * GIT_OPTIONAL_LOCKS=0 (status rewrites the index), GIT_PAGER=cat.
 * Source: Codex 0.28.0 trusts these five with any option: `diff --output=F`, `branch -D`, `show --ext-diff` ran unasked.
 */
export const isHarmlessGit = ([command = '', ...args]: readonly string[]): boolean => {
  const isKnown = COMMANDS.get(command);
  return (
    isKnown !== undefined &&
    args.every((arg) => (isOperand(arg) || isKnown(arg)) && !SIGNATURE.test(arg)) &&
    (command !== 'branch' || isListing(args))
  );
};

export type Trust =
  | {
      trusted: false;
      /** The reason, as a text. */
      why: string;
    }
  | {
      trusted: true;
      /** What the command runs, from left to right. */
      commands: readonly KnownWords[];
    };

const notTrusted = (why: string): Trust => ({ trusted: false, why });

const NOT_PLAIN = 'its script is more than plain commands joined by && || ; |';

/** A reader may have patterns, braces and any letter, whatever they expand to; for other programs each word must be certain. */
const isHarmlessAsWritten = (words: readonly Word[]): boolean => {
  if (takesAnything(words[0]?.raw ?? '')) return true;
  const argv = words.map(({ raw }) => meaningOf(raw));
  return argv.every((arg) => arg !== undefined) && isHarmless(argv);
};

/** `~` and patterns become file names, whatever the grammar makes of them. */
const toKnown = ({ raw }: Word): string | undefined => {
  const meaning = meaningOf(raw);
  return meaning === undefined || (raw === meaning && meaning.includes('~')) ? undefined : meaning;
};

const toTrust = (commands: Sequence | undefined): Trust => {
  if (commands === undefined) return notTrusted(NOT_PLAIN);
  const other = commands.find((words) => !isHarmlessAsWritten(words));
  return other === undefined
    ? { trusted: true, commands: commands.map((words) => words.map(toKnown)) }
    : notTrusted(whyNot(other[0]?.raw));
};

const whyNot = (name: string | undefined): string =>
  name !== undefined && isKnown(name)
    ? `${name} may write or run programs with these arguments`
    : `${name === undefined ? 'an empty command' : name} is not among the commands that only read`;

/**
 * Decides whether a command only reads, so that nobody need be asked.
 * @param deps.read the grammar; used for `bash -lc SCRIPT` only, and only if the script is written plainly
 * Emits once and completes: at once for every other argv. A script is trusted if every command in it is harmless.
 * What no argv shows: the login profile that `-l` reads, and functions that the environment exports.
 * Source: Codex 0.28.0, 440 recorded decisions; every other decision here is stricter.
 */
export const readTrust =
  ({ read }: { read: ReadScript }) =>
  (argv: readonly string[]): Observable<Trust> => {
    const script = scriptOf(argv);
    if (script === undefined) {
      return of(isHarmless(argv) ? { trusted: true, commands: [argv] } : notTrusted(whyNot(argv[0])));
    }
    if (!isPlain(script)) return of(notTrusted(NOT_PLAIN));
    return read(script).pipe(map(toTrust));
  };

/**
 * Blanks, connectors, words without active characters, quoted words without expansions, and the escapes `\(` `\)` of find.
 * Not accepted: any other backslash, `$`, backticks, redirections, comments, control characters, non-ASCII blanks
 * (the grammar splits words there, bash does not).
 */
const PLAIN = /^(?:[ \t\n;|]|&&|\\[()]|(?<=[^\s;|&])#|[^\s\p{C}\\'"$`()<>&|;#]|'[^']*'|"(?:[^"\\$`]|\\.)*")*$/su;

/** True if bash and the grammar cannot disagree about where the words of a script begin and end. */
export const isPlain = (script: string): boolean => PLAIN.test(script);

/** No pattern, brace or quote; and ASCII only, because bash on macOS splits words at some bytes of other letters. */
const BARE = /^[\w@%+=:,./^~!#-]+$/;

const unescaped = (text: string): string => text.replace(/\\([\\$`"\n])/g, (_, char) => (char === '\n' ? '' : char));

/** The argument that a program gets for a word as written; undefined if that depends on files or the environment. */
export const meaningOf = (raw: string): string | undefined => {
  if (raw.startsWith("'")) return raw.slice(1, -1);
  if (raw.startsWith('"')) return unescaped(raw.slice(1, -1));
  if (raw === '\\(' || raw === '\\)') return raw.slice(1);
  return BARE.test(raw) ? raw : undefined;
};

/** True for harmless arguments of a program. */
type Judge = (args: readonly string[]) => boolean;

const READERS = new Set([
  ...['cat', 'cd', 'echo', 'false', 'grep', 'head', 'ls'],
  ...['nl', 'pwd', 'tail', 'true', 'wc', 'which'],
]);

/** True for programs that never write or run anything, whatever their arguments. Exact names: a path could be any program. */
export const takesAnything = (name: string): boolean => READERS.has(name);

/** True if a word is a prefix of the other, with at least three letters: an abbreviation counts like the full word. */
const comesClose = (word: string, whole: string): boolean =>
  word.length > 2 && (whole.startsWith(word) || word.startsWith(whole));

const FIND_ACTS = ['-delete', '-exec', '-ok', '-fls', '-fprint'];
const find: Judge = (args) => !args.some((arg) => FIND_ACTS.some((act) => comesClose(arg, act)));

const RG_RUNS = ['--pre', '--hostname-bin', '--search-zip'];
/** A cluster of short flags with `z` in it, before a flag that takes the rest as its value. */
const RG_ZIP = /^-[^-ABCEMTdefgjmrt]*z/;
const runsInRg = (arg: string): boolean => {
  const name = arg.split('=', 1)[0] ?? arg;
  return RG_ZIP.test(arg) || RG_RUNS.some((run) => name.length > 2 && run.startsWith(name));
};
const rg: Judge = (args) => !args.some(runsInRg);

/** A file name that begins with a dash would be read as another script: `sed -n 1p '-e1e reboot'`. */
const sed: Judge = ([flag, range = '', file = '', ...more]) =>
  flag === '-n' && /^\d+(,\d+)?p$/.test(range) && /^[^-]/.test(file) && more.length === 0;

const JUDGES = new Map<string, Judge>([
  ['find', find],
  ['git', isHarmlessGit],
  ['rg', rg],
  ['sed', sed],
]);

/** True for a program that only reads, with some arguments if not with all. */
const isKnown = (name: string): boolean => takesAnything(name) || JUDGES.has(name);

/**
 * True for an argv that only reads, as far as an argv can tell.
 * What it cannot tell: which program a name finds (PATH; on Windows the cwd comes first), what the environment adds
 * (RIPGREP_CONFIG_PATH), and that a reader may show what is secret.
 * Source: Codex 0.28.0 list, less its holes: `cargo check` runs build scripts; `rg -nz`, `rg --search-zip=1`, `find -exec…`.
 */
export const isHarmless = ([name = '', ...args]: readonly string[]): boolean =>
  takesAnything(name) || (JUDGES.get(name)?.(args) ?? false);
