/** The paths of trusted commands: in which folders they may run, and whether they could show secrets. */
import { isAbsolute, resolve } from 'node:path';
import { isWithin } from '../../streams/text/trim';
import type { KnownWords } from './script';

/** True for a path with `..` behind a name, also behind an option: that name may be a link, and `link/..` is the folder above its target. */
export const climbsBack = (path: string): boolean => /(?:^|\/)(?!\.{1,2}\/)[^/]+\/(?:\.?\/)*\.\.(?:\/|$)/.test(path);

/** More folders than this count as unknown. */
const MAX_FOLDERS = 16;

/**
 * Every folder in which a command of the script may run, `cwd` first; undefined if that is uncertain. Each `cd` adds to the folders,
 * because it may fail, or run in a part of a pipeline. After a name, `..` is uncertain: if bash finds no folder by the text of the
 * path, it follows a link of that name.
 *   cd a && git status; cd b   in /w  ->  /w /w/a /w/b /w/a/b
 * @param cwd without links
 */
export const workingFolders = (commands: readonly KnownWords[], cwd: string): readonly string[] | undefined => {
  let folders = [cwd];
  for (const [name, ...words] of commands) {
    if (name !== 'cd') continue;
    const [target] = words;
    if (words.length !== 1 || !target || target.startsWith('-')) return undefined;
    if (climbsBack(folders.length > 1 ? `a/${target}` : target)) return undefined;
    folders = [...new Set([...folders, ...folders.map((folder) => resolve(folder, target))])];
    if (folders.length > MAX_FOLDERS) return undefined;
  }
  return folders;
};

type SecretDeps = {
  /** Follows links; undefined if nothing is there. */
  realpath: (path: string) => string | undefined;
  /** Absolute paths of files and folders with secrets. */
  secrets: () => readonly string[];
};

/** Places that expose other processes: their environment, memory and files. */
const SYSTEM = ['/proc', '/sys', '/dev'];

/** These print only their words, or names of files. */
const SHOWS_NO_FILES = new Set(['cd', 'echo', 'false', 'ls', 'pwd', 'true', 'which']);

/**
 * Whether trusted commands could show secrets if no sandbox prevents it. False only if it is certain that no secret is shown: every word that may be a
 * path is known and leads neither into a secret place nor to a folder that contains one. When in doubt, a person is asked.
 * @param folders where the commands may run, absolute
 */
export const showsSecrets =
  ({ realpath, secrets }: SecretDeps) =>
  (commands: readonly KnownWords[], folders: readonly string[]): boolean => {
    const named = secrets();
    const places = [...SYSTEM, ...named, ...named.flatMap((path) => realpath(path) ?? [])];
    const isNear = (path: string): boolean =>
      [path, realpath(path) ?? path].some((at) => places.some((place) => isWithin(place, at) || isWithin(at, place)));
    return commands.some(([name, ...words]) => {
      if (name !== undefined && SHOWS_NO_FILES.has(name)) return false;
      const pathsOf = (word: string): string[] =>
        candidates(word).flatMap((part) => folders.map((at) => resolve(at, part)));
      return (
        folders.some(isNear) ||
        words.some((word) => word === undefined || isUncertain(word) || pathsOf(word).some(isNear))
      );
    });
  };

/** With these flags grep and rg follow links in a folder. Source: GNU grep 3.8, `-R`, `--dereference-recursive`; ripgrep 13, `-L`, `--follow`. */
const FOLLOWS_LINKS = /^(?:-[^-]*[RL]|--d|--fol?)/;

const isUncertain = (word: string): boolean => FOLLOWS_LINKS.test(word) || climbsBack(word);

/** A path may follow a flag, or several, in the same word: `--file=PATH`, `-fPATH`, `-rnfPATH`. */
const candidates = (word: string): string[] => {
  const letters = /^-[A-Za-z0-9]*/.exec(word)?.[0].length ?? 0;
  const shorter = Array.from({ length: Math.max(0, letters - 1) }, (_, at) => word.slice(at + 2));
  const behind = word.startsWith('-') ? [word.slice(word.indexOf('=') + 1), ...shorter] : [];
  return [word, ...behind.filter((part) => part !== '' && (isAbsolute(part) || part.includes('/')))];
};
