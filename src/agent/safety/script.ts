/** Scripts before they are parsed: which argv carry one, and how one is read. */
import { basename } from 'node:path';
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

/** Reads a script as a word-only sequence: plain commands joined by `&& || | ;` or newlines. Emits once; undefined for any other script. */
export type ReadScript = (script: string) => Observable<Sequence | undefined>;

/** The script of exactly `bash -lc SCRIPT`, otherwise undefined. Source: Codex 0.28.0; `bash -c`, `sh -c` and `/bin/bash -lc` are not accepted. */
export const scriptOf = (argv: readonly string[]): string | undefined =>
  argv.length === 3 && argv[0] === 'bash' && argv[1] === '-lc' ? argv[2] : undefined;

/**
 * Reads every command of a script, wherever it stands: in a pipeline, a subshell, a condition, a function. A word is undefined if it depends on files or
 * the environment. Emits once: the commands, or undefined if the script cannot be read.
 */
export type CommandsIn = (script: string) => Observable<readonly KnownWords[] | undefined>;

/**
 * Reads every word of a script as the programs get it, those of redirections and assignments too. Emits once: the words, or undefined if one depends on
 * files or the environment, or if it is not certain which commands run, and in which folders.
 */
export type WordsIn = (script: string) => Observable<readonly string[] | undefined>;

/** The words of one command; undefined for a word that depends on files or the environment. */
export type KnownWords = readonly (string | undefined)[];

/** A command of which nothing is known. */
export const UNKNOWN: KnownWords = [undefined];

const SHELLS = new Set(['sh', 'bash', 'rbash', 'dash', 'ash', 'zsh', 'ksh', 'mksh']);

/** Programs of which the first argument is the program. */
const BOXES = new Set(['busybox', 'toybox']);

/** Letters that mean the same to all shells, then `o`, which takes the next word. */
const LETTERS = /^[-+][acefhiklmnprstuvxE]*[oO]?$/;
const LONG = /^--?(?:norc|noprofile|noediting|login|posix|restricted|verbose|version|help)$/;
const LONG_WITH_VALUE = /^--?(?:rcfile|init-file)$/;

/** The script that a shell of any name is given by `-c`; `text` is undefined if the words do not show it. Undefined for other commands. */
export const shellScriptOf = ([program, ...args]: KnownWords): { text: string | undefined } | undefined => {
  const name = basename(program ?? '');
  if (BOXES.has(name)) return shellScriptOf(args);
  if (!SHELLS.has(name)) return undefined;
  let isScript = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    const isEnd = word === '-' || word === '--';
    if (word === undefined) return { text: undefined };
    if (isEnd || !/^[-+]/.test(word)) {
      const operands = args.slice(isEnd ? at + 1 : at);
      return isScript && operands.length > 0 ? { text: operands[0] } : undefined;
    }
    if (LONG_WITH_VALUE.test(word)) at += 1;
    else if (LETTERS.test(word)) {
      isScript ||= word.includes('c');
      if (/o$/i.test(word)) at += 1;
    } else if (!LONG.test(word)) return { text: undefined };
  }
  return undefined;
};
