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
