/** The files that a command names: an approval for the session is for their bytes. */
import { resolve } from 'node:path';
import { map, type Observable, of } from 'rxjs';

/** A file by the first word that names it, and a text that changes if its bytes do, or if the path leads to another file. */
export type NamedFile = { name: string; mark: string };

/** Emits once the mark of each path, undefined if no regular file is there; or undefined if that cannot be found out. Absolute paths. */
export type MarksOf = (paths: readonly string[]) => Observable<readonly (string | undefined)[] | undefined>;

/** Where a command runs. */
type Place = {
  folder: string;
  /** Absolute folders in which names without a slash are programs. */
  programs: readonly string[];
};

/** What separates names within a word: a shell's script, `--file=PATH`, `a.py::test`, `@file`. */
const SEPARATOR = /[\s;&|()<>"'`$={},@:]+/;
/** Words before a folder in which further names begin. */
const ENTERS = ['cd', 'pushd', '-C', '--cwd', '--prefix', '--directory', '--chdir'];

/** More words, and more paths, are not looked at. */
const MAX_PATHS = 1_024;

/** Emits once: the files that exist; undefined if that is not known. A folder is no file, and what a file loads is not named. */
export const namedFiles =
  (marksOf: MarksOf) =>
  (argv: readonly string[], place: Place): Observable<readonly NamedFile[] | undefined> => {
    const words = wordsOf(argv);
    const names = words.length > MAX_PATHS ? undefined : [...namesIn(words, place)];
    if (names === undefined || names.length > MAX_PATHS) return of(undefined);
    return marksOf(names.map(([path]) => path)).pipe(
      map(
        (marks) => marks && names.flatMap(([, name], i) => (marks[i] === undefined ? [] : [{ name, mark: marks[i] }])),
      ),
    );
  };

const wordsOf = (argv: readonly string[]): string[] => {
  const words = argv.flatMap((word) => [word, ...word.split(SEPARATOR)]);
  return words.filter((word) => word !== '');
};

/** The name of each path. */
const namesIn = (words: readonly string[], { folder, programs }: Place): ReadonlyMap<string, string> => {
  const folders = foldersIn(words, folder);
  const paths = words.flatMap((word) =>
    [...folders, ...(word.includes('/') ? [] : programs)].map((folder) => [resolve(folder, word), word] as const),
  );
  return new Map(paths.toReversed());
};

const foldersIn = (words: readonly string[], first: string): readonly string[] => {
  const entered = words.filter((_, i) => ENTERS.includes(words[i - 1] ?? '')).slice(0, MAX_FOLDERS);
  const folders = [first];
  for (const word of entered) folders.push(...folders.map((folder) => resolve(folder, word)));
  return [...new Set(folders)];
};

const MAX_FOLDERS = 4;
