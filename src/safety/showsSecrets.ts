/** Finds out whether a trusted reader could show what is secret, where no sandbox keeps it from that. */
import { isAbsolute, resolve } from 'node:path';
import { isWithin } from '../text';
import type { KnownWords } from './readTrust';

/** @param realpath follows links, undefined where there is nothing; @param secrets absolute paths of files and folders with secrets */
export type SecretDeps = { realpath: (path: string) => string | undefined; secrets: readonly string[] };

/** Other processes: their environment, memory and files. */
const SYSTEM = ['/proc', '/sys', '/dev'];

/** These show nothing but their words, or names of files. */
const SHOWS_NO_FILES = new Set(['cd', 'echo', 'false', 'ls', 'pwd', 'true', 'which']);

/**
 * True unless it is plain that no secret is shown: every word that may be a path is known and leads neither into a secret place nor
 * to a folder that contains one. It errs on the side of asking.
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

/** grep and rg read what links in a folder lead to. Source: GNU grep 3.8, `-R`, `--dereference-recursive`; ripgrep 13, `-L`, `--follow`. */
const FOLLOWS_LINKS = /^(?:-[^-]*[RL]|--d|--fol?)/;

/** `link/..` is the folder above that which the link leads to; a path by its text alone says another. */
const CLIMBS_BACK = /(?:^|[/=])(?!\.{1,2}\/)[^/]+\/(?:\.?\/)*\.\.(?:\/|$)/;

const isUncertain = (word: string): boolean => FOLLOWS_LINKS.test(word) || CLIMBS_BACK.test(word);

/** A path may stand after a flag, or after several: `--file=PATH`, `-fPATH`, `-rnfPATH`. */
const candidates = (word: string): string[] => {
  const letters = /^-[A-Za-z0-9]*/.exec(word)?.[0].length ?? 0;
  const shorter = Array.from({ length: Math.max(0, letters - 1) }, (_, at) => word.slice(at + 2));
  const behind = word.startsWith('-') ? [word.slice(word.indexOf('=') + 1), ...shorter] : [];
  return [word, ...behind.filter((part) => part !== '' && (isAbsolute(part) || part.includes('/')))];
};
