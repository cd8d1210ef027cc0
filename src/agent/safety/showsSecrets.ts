/** Determines whether a trusted reader could show secrets, where no sandbox keeps them from it. */
import { isAbsolute, resolve } from 'node:path';
import { isWithin } from '../../streams/text/trim';
import { climbsBack } from './climbsBack';
import type { KnownWords } from './readTrust';

/** @param realpath follows links, undefined where there is nothing; @param secrets absolute paths of files and folders with secrets */
export type SecretDeps = { realpath: (path: string) => string | undefined; secrets: readonly string[] };

/** Places that expose other processes: their environment, memory and files. */
const SYSTEM = ['/proc', '/sys', '/dev'];

/** These print only their words, or names of files. */
const SHOWS_NO_FILES = new Set(['cd', 'echo', 'false', 'ls', 'pwd', 'true', 'which']);

/**
 * False only if it is certain that no secret is shown: every word that may be a path is known and leads neither into a secret place nor
 * to a folder that contains one. When in doubt, a person is asked.
 * @param folders where the commands may run, absolute
 */
export const showsSecrets =
  ({ realpath, secrets }: SecretDeps) =>
  (commands: readonly KnownWords[], folders: readonly string[]): boolean => {
    const places = [...SYSTEM, ...secrets, ...secrets.flatMap((path) => realpath(path) ?? [])];
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
