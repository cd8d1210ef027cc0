/** Scripts before they are parsed: which argv carry one, and how one is read. */
import type { Observable } from 'rxjs';

/** One word of a script. */
export type Word = {
  /** Without its quotes, but with its escapes; for display. */
  text: string;
  /** As written; for decisions. */
  raw: string;
};

/** The commands of a script from left to right, whatever joins them. */
export type Sequence = readonly (readonly Word[])[];

/**
 * Reads a script as a word-only sequence: plain commands joined by `&& || | ;` or newlines, nothing else.
 * Emits once: the sequence, or undefined if the script is anything more, or empty.
 */
export type ReadScript = (script: string) => Observable<Sequence | undefined>;

/**
 * The script of exactly `bash -lc SCRIPT`, otherwise undefined.
 * Source: Codex 0.28.0 runs; `bash -c`, `sh -c`, `/bin/bash -lc` and `bash -cl` are not accepted.
 */
export const scriptOf = (argv: readonly string[]): string | undefined =>
  argv.length === 3 && argv[0] === 'bash' && argv[1] === '-lc' ? argv[2] : undefined;

/**
 * Reads every command of a script, wherever it stands: in a pipeline, a subshell, a condition, a function. A word is undefined if it depends on files or
 * the environment. Emits once: the commands, or undefined if the script cannot be read.
 */
export type CommandsIn = (script: string) => Observable<readonly (readonly (string | undefined)[])[] | undefined>;

/**
 * Reads every word of a script as the programs get it, those of redirections and assignments too. Emits once: the words, or undefined if one depends on
 * files or the environment, or if it is not certain which commands run, and in which folders.
 */
export type WordsIn = (script: string) => Observable<readonly string[] | undefined>;

/** The script that a shell is given by `-c` or `-lc`; undefined for any other argv. Source: Codex 0.171.0, rules of commands. */
export const shellScriptOf = ([shell = '', option = '', script, ...more]: readonly string[]): string | undefined =>
  /^(?:.*\/)?(?:bash|zsh|sh)$/s.test(shell) && /^-l?c$/.test(option) && more.length === 0 ? script : undefined;
