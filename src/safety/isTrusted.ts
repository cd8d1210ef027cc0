/** Owns the answer whether a command may run unasked in every policy. Not: what follows from it (assess). */
import { map, type Observable, of } from 'rxjs';
import { isHarmless, takesAnything } from './isHarmless';
import { isPlain, meaningOf } from './meaningOf';
import { type ReadScript, scriptOf, type Word } from './script';

/** A reader may get patterns, braces and any letter, whatever they become; for the others each word must be certain. */
const isHarmlessAsWritten = (words: readonly Word[]): boolean => {
  if (takesAnything(words[0]?.raw ?? '')) return true;
  const argv = words.map(({ raw }) => meaningOf(raw));
  return argv.every((arg) => arg !== undefined) && isHarmless(argv);
};

/**
 * Says whether a command only reads, so that nobody need be asked.
 * @param deps.read the grammar; used for `bash -lc SCRIPT` only, and only where the script is written plainly
 * Emits once and completes: at once for every other argv. True for a script if every command in it is harmless.
 * What no argv shows: the login profile that `-l` reads, functions that the environment exports.
 * Source: Codex 0.28.0, 440 recorded decisions; where we differ we ask.
 */
export const isTrusted =
  ({ read }: { read: ReadScript }) =>
  (argv: readonly string[]): Observable<boolean> => {
    const script = scriptOf(argv);
    if (script === undefined) return of(isHarmless(argv));
    if (!isPlain(script)) return of(false);
    return read(script).pipe(map((commands) => commands?.every(isHarmlessAsWritten) ?? false));
  };
