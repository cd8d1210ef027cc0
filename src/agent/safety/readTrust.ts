/** Decides whether a command may run without asking under every policy, because it only reads. */
import { map, type Observable, of } from 'rxjs';
import { isHarmless, isKnown, takesAnything } from './isHarmless';
import { isPlain, meaningOf } from './meaningOf';
import { type ReadScript, type Sequence, scriptOf, type Word } from './script';

/** The words of one command; undefined for a word that depends on files or the environment. */
export type KnownWords = readonly (string | undefined)[];

/** `commands`: what a trusted command runs, from left to right. `why`: why a command is not trusted, as a text. */
export type Trust = { trusted: false; why: string } | { trusted: true; commands: readonly KnownWords[] };

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
 * @param deps.read the grammar; used for `bash -lc SCRIPT` only, and only where the script is written plainly
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
