/** The files that a command names: an approval for the session is for their bytes. */
import { createHash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { concatMap, map, type Observable, of } from 'rxjs';
import { shellScriptOf, type WordsIn } from './script';

/** A file by the first word that names it, and a text that changes if its bytes do, or if the path leads to another file. */
export type NamedFile = { name: string; mark: string };

/** Emits once the mark of each path, undefined if no regular file is there; or undefined if that cannot be found out. Absolute paths. */
export type MarksOf = (paths: readonly string[]) => Observable<readonly (string | undefined)[] | undefined>;

/** The mark of a file; `real` is its path without links. */
export const toMark = (real: string, bytes: Uint8Array): string =>
  `${real} ${createHash('sha256').update(bytes).digest('base64')}`;

/** Longer files are not read for a mark. */
export const MAX_READ_BYTES = 1_048_576;

/** True for a name that a program may find by the shorter one: `node run` runs run.js. */
export const isShortFor = (short: string, name: string): boolean => name.startsWith(`${basename(short)}.`);

/** Where a command runs. */
type Place = {
  folder: string;
  /** Absolute folders in which names without a slash are programs. */
  programs: readonly string[];
};

/** What separates names within a word: `--file=PATH`, `a.py::test`, `@file`, the code for another shell. */
const SEPARATOR = /[\s;&|()<>{},=:@]/g;
/** What a word may mean to a shell behind `env`: quotes, expansions, patterns, folders, programs; and `..`, which leads elsewhere behind links. */
const UNCERTAIN =
  /[\\'"`$*?[]|[+@!<>]\(|\{[^{}]*[,.]|(?:^|[\s=:])~|\b(?:cd|pushd|popd)[\s;&|)]|\bC?D?PATH=|[^/.]\.*\/+\.\.(?:\/|$)/;
/** Words before a folder in which further names begin, besides `-C`; also shortened. */
const ENTERS = ['cd', 'pushd', '--cwd', '--prefix', '--directory', '--chdir'];

/** More words, and more paths, are not looked at. */
const MAX_PATHS = 1_024;
const MAX_FOLDERS = 4;
const MAX_CUTS = 40;

/** Emits once: the files that exist; undefined if that is not known. A folder is no file, and what a file loads is not named. */
export const namedFiles =
  ({ marksOf, wordsIn }: { marksOf: MarksOf; wordsIn: WordsIn }) =>
  (argv: readonly string[], place: Place): Observable<readonly NamedFile[] | undefined> => {
    return wordsOf(wordsIn, argv).pipe(
      concatMap((words) => {
        const names = words && namesIn(words, place);
        return names === undefined ? of(undefined) : marked(marksOf, names);
      }),
    );
  };

const wordsOf = (wordsIn: WordsIn, argv: readonly string[]): Observable<readonly string[] | undefined> => {
  const script = shellScriptOf(argv);
  if (script === undefined) return of(argv);
  const { text } = script;
  if (text === undefined) return of(undefined);
  return wordsIn(text).pipe(map((words) => words && [...argv.filter((word) => word !== text), ...words]));
};

type Name = readonly [path: string, name: string];

const marked = (marksOf: MarksOf, names: readonly Name[]): Observable<readonly NamedFile[] | undefined> =>
  marksOf(names.map(([path]) => path)).pipe(
    map((marks) => marks && names.flatMap(([, name], i) => (marks[i] === undefined ? [] : [{ name, mark: marks[i] }]))),
  );

/** Each path with its name; undefined if there may be others. */
const namesIn = (words: readonly string[], place: Place): Name[] | undefined => {
  const isCertain = words.every((word) => !UNCERTAIN.test(word) && (word.match(SEPARATOR) ?? []).length <= MAX_CUTS);
  const entered = isCertain ? enteredIn(words) : [];
  if (!isCertain || words.length > MAX_PATHS || entered.length > MAX_FOLDERS) return undefined;
  const names = [...new Set(words.flatMap(partsOf))];
  if (entered.length > 0 && names.some((name) => /(?:^|\/)\.\.(?:\/|$)/.test(name))) return undefined;
  const folders = foldersOf(entered, place.folder);
  if (names.length * folders.length > MAX_PATHS) return undefined;
  const paths = names.flatMap((name) =>
    [...folders, ...(name.includes('/') ? [] : place.programs)].map((folder) => [resolve(folder, name), name] as const),
  );
  const named = [...new Map(paths.toReversed())];
  return named.length > MAX_PATHS ? undefined : named;
};

/** What a word may name: itself, what stands between any two separators, and what stands behind the letters of an option (`-fFILE`). */
const partsOf = (word: string): string[] => {
  const cuts = [...word.matchAll(SEPARATOR)].map(({ index }) => index);
  const letters = /^-[a-z\d]*/i.exec(word)?.[0].length ?? 0;
  const starts = [0, ...cuts.map((at) => at + 1), ...Array.from({ length: letters }, (_, i) => i + 1).slice(1)];
  return starts.flatMap((start) =>
    [...cuts, word.length].filter((end) => end > start).map((end) => word.slice(start, end)),
  );
};

const enters = (word = ''): boolean =>
  /^-[A-Za-z\d]*C$/.test(word) ||
  ENTERS.some((name) => name === word || (word.length > 3 && name.startsWith('--') && name.startsWith(word)));

const afterEntering = (words: readonly string[]): string[] => words.filter((_, i) => enters(words[i - 1]));

/** The words that name folders in which further names begin, each as often as it is there. */
const enteredIn = (words: readonly string[]): string[] => {
  const parts = words.flatMap((word) => word.split(SEPARATOR)).filter((part) => part !== '');
  const after = afterEntering(words);
  const within = words.flatMap((word) => {
    const [, option, value = ''] = /^(-[A-Za-z\d]*C|--[a-z]+(?==))=?(.+)$/s.exec(word) ?? [];
    return enters(option) ? [value] : [];
  });
  return [...after, ...afterEntering(parts).filter((part) => !after.includes(part)), ...within];
};

/** In whatever order they are entered. */
const foldersOf = (entered: readonly string[], first: string): readonly string[] => {
  let last = [first];
  const folders = new Set(last);
  for (const _ of entered) {
    last = [...new Set(last.flatMap((folder) => entered.map((word) => resolve(folder, word))))];
    for (const folder of last) folders.add(folder);
  }
  return [...folders];
};
