/** The programs that only read, and their harmless arguments; git and scripts have their own files. */
import { isHarmlessGit } from './isHarmlessGit';

type Judge = (args: readonly string[]) => boolean;

const READERS = new Set([
  ...['cat', 'cd', 'echo', 'false', 'grep', 'head', 'ls'],
  ...['nl', 'pwd', 'tail', 'true', 'wc', 'which'],
]);

/** True for programs that never write or run anything, whatever their arguments. Exact names: a path could be any program. */
export const takesAnything = (name: string): boolean => READERS.has(name);

/** One is a prefix of the other, with at least three letters, so that an abbreviation counts like the full word. */
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
export const isKnown = (name: string): boolean => takesAnything(name) || JUDGES.has(name);

/**
 * True for an argv that only reads, as far as an argv can tell.
 * What it cannot tell: which program a name finds (PATH; on Windows the cwd comes first), what the environment adds
 * (RIPGREP_CONFIG_PATH), and that a reader may show what is secret.
 * Source: Codex 0.28.0 list, less its holes: `cargo check` runs build scripts; `rg -nz`, `rg --search-zip=1`, `find -exec…`.
 */
export const isHarmless = ([name = '', ...args]: readonly string[]): boolean =>
  takesAnything(name) || (JUDGES.get(name)?.(args) ?? false);
