/** Decides whether a command may run without asking under every policy, because it only reads: which programs and options do, and which scripts of them. */
import { map, type Observable, of } from 'rxjs';
import { isHarmlessGit } from './harmlessGit';
import { type KnownWords, type ReadScript, type Sequence, scriptOf, type Word } from './script';

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
  if (!argv.every((arg) => arg !== undefined)) return false;
  const [name = '', ...args] = argv;
  return isHarmless(argv) || (SHAPERS.get(name)?.(args) ?? false);
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
  name !== undefined && READING_PROGRAMS.has(name)
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
    const whole = scriptOf(argv);
    const script = whole && withoutIdleRedirections(whole);
    if (script === undefined) {
      return of(isHarmless(argv) ? { trusted: true, commands: [argv] } : notTrusted(whyNot(argv[0])));
    }
    if (!isPlain(script)) return of(notTrusted(NOT_PLAIN));
    return read(script).pipe(map(toTrust));
  };

/** A quoted part, which stays, or a redirection that writes nothing: to /dev/null, or of one output to the other. */
const REDIRECTION =
  /'[^']*'|"(?:[^"\\]|\\.)*"|\\.|(?<![^\s;|])(?:(?:[12]?>{1,2}|&>{1,2})[ \t]*\/dev\/null|[12]?>&[12])(?=[\s;|]|&&|$)/gs;

/** The script without redirections that write nothing. Where bash reads quotes otherwise, the script has a character that none here has. */
const withoutIdleRedirections = (script: string): string =>
  script.replaceAll(REDIRECTION, (part) => (/^['"\\]/.test(part) ? part : ' '));

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
  const parts = raw.match(PART) ?? [raw];
  if (parts.length === 1) return meaningOfPart(raw);
  const meanings = parts.map((part) => (/^[^'"]*~/.test(part) ? undefined : meaningOfPart(part)));
  return meanings.every((meaning) => meaning !== undefined) ? meanings.join('') : undefined;
};

/** What a word is made of, as `--format='%h %s'` is; what stands before a quoted part decides whether a `~` is the home. */
const PART = /'[^']*'|"(?:[^"\\]|\\.)*"|[^'"]+|['"]/gs;

const meaningOfPart = (raw: string): string | undefined => {
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
  isRange([flag ?? '', range]) && /^[^-]/.test(file) && more.length === 0;

const isRange: Judge = ([flag, range = '', ...more]) =>
  flag === '-n' && /^\d+(,\d+)?p$/.test(range) && more.length === 0;

/** True if each argument is an option of these, or the value of an option that takes the next argument; no file. */
const onlyOptions =
  (isOption: RegExp, takesValue: RegExp): Judge =>
  (args) => {
    for (let at = 0; at < args.length; at += 1) {
      const arg = args[at] ?? '';
      if (takesValue.test(arg)) at += 1;
      else if (!isOption.test(arg)) return false;
    }
    return true;
  };

/** Without `--output`, `--compress-program` and their short forms. */
const sort = onlyOptions(
  /^(?:-[bdfghimnrRsuVzcM]+|-[bdfghimnrRsuV]*k\d[\d.,bdfghiMnrRV]*|-t.|--(?:reverse|numeric-sort|unique|ignore-case|human-numeric-sort|version-sort|general-numeric-sort|stable|check|zero-terminated|key=\d[\d.,bdfghiMnrRV]*|field-separator=.))$/s,
  /^(?:-[bdfghimnrRsuV]*k|-t|--key|--field-separator)$/,
);

const uniq = onlyOptions(
  /^(?:-[cdDiuz]+|-[fsw]\d+|--(?:count|repeated|unique|ignore-case|zero-terminated|(?:skip-fields|skip-chars|check-chars)=\d+))$/,
  /^-[fsw]$/,
);

/** Without `--set` and a time to set. */
const date = onlyOptions(
  /^(?:\+.*|-[uR]+|-I(?:date|hours|minutes|seconds|ns)?|--(?:utc|universal|rfc-email|iso-8601(?:=\w+)?|rfc-3339=\w+|date=.*))$/s,
  /^-u?d$/,
);

const cut = onlyOptions(/^(?:-[bcdf].+|-s|--complement|--(?:delimiter|fields|output-delimiter)=.*)$/s, /^-[bcdf]$/);

/** `-v` and `%n` name a variable, whose subscript bash evaluates. */
const printf: Judge = ([format = '', ...values]) =>
  /^[^-]/.test(format) && [format, ...values].every((word) => !/%[^a-zA-Z%]*[hlLjqtz]*n|\$\(|`/.test(word));

const TESTS = new Set([
  ...['-e', '-f', '-d', '-r', '-w', '-x', '-s', '-L', '-h', '-n', '-z', '-b', '-c', '-p', '-S', '-O', '-G', '-N'],
  ...['-eq', '-ne', '-lt', '-le', '-gt', '-ge', '-nt', '-ot', '-ef', '-a', '-o'],
]);

/** `-v` and `-R` name a variable, whose subscript bash evaluates. */
const test: Judge = (args) => args.every((arg) => TESTS.has(arg) || /^(?:[^-[$`][^[$`]*|-?\d+)?$/s.test(arg));

const JUDGES = new Map<string, Judge>([
  ['date', date],
  ['find', find],
  ['git', isHarmlessGit],
  ['printf', printf],
  ['rg', rg],
  ['sed', sed],
  ['test', test],
]);

/** Programs that reshape what a pipe brings: in a script they only read if they name no file. */
const SHAPERS = new Map<string, Judge>([
  ['cut', cut],
  ['rev', (args) => args.length === 0],
  ['sed', isRange],
  ['sort', sort],
  ['tac', (args) => args.length === 0],
  ['tr', () => true],
  ['uniq', uniq],
]);

/** The programs that only read, with some arguments if not with all. */
export const READING_PROGRAMS: ReadonlySet<string> = new Set([...READERS, ...JUDGES.keys(), ...SHAPERS.keys()]);

/**
 * True for an argv that only reads, as far as an argv can tell.
 * What it cannot tell: which program a name finds (PATH; on Windows the cwd comes first), what the environment adds
 * (RIPGREP_CONFIG_PATH), and that a reader may show what is secret.
 * Source: Codex 0.28.0 list, less its holes: `cargo check` runs build scripts; `rg -nz`, `rg --search-zip=1`, `find -exec…`.
 */
export const isHarmless = ([name = '', ...args]: readonly string[]): boolean =>
  takesAnything(name) || (JUDGES.get(name)?.(args) ?? false);
