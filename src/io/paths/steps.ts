/** The way to a path: what the system passes when it follows it. Only for paths that begin with `/`. */
import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { inFolder } from './relations';

/** A folder or a link on the way, or what is at its end. */
export type Step = {
  /** Absolute, without a link above its last name. */
  path: string;
  /** Of what has this name itself, be it a link. */
  facts: Stats;
};

/** More links on the way to a path are a loop. Source: Linux, MAXSYMLINKS. */
const MAX_LINKS = 40;

/**
 * The first step on the way to a path that fits, from the root on: folders, links, what these links lead to, and the folders around that; undefined if none
 * fits. Throws the error of the system. @param files the disk, for specs
 */
export const findStep = (
  path: string,
  fits: (step: Step) => boolean,
  files: { lstatSync: (path: string) => Stats; readlinkSync: (path: string) => string } = { lstatSync, readlinkSync },
): Step | undefined => {
  const names = ['', ...namesOf(path)];
  let folder = '/';
  for (let links = 0; names.length > 0; ) {
    const name = names.shift() as string;
    const here = name === '..' ? folder.slice(0, folder.lastIndexOf('/')) || '/' : inFolder(folder, name);
    const step = { path: here, facts: files.lstatSync(here) };
    if (name !== '..' && fits(step)) return step;
    if (!step.facts.isSymbolicLink()) folder = here;
    else {
      links += 1;
      if (links > MAX_LINKS) throw new Error(`${path} leads in a circle of links`);
      const target = files.readlinkSync(here);
      if (target.startsWith('/')) folder = '/';
      names.unshift(...namesOf(target));
    }
  }
  return undefined;
};

const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * The first folder or link on the way to a path, or the file itself, that another user could replace; undefined if there is none, and on systems without
 * users. Whoever can write a folder can rename what is in it; in a sticky folder, such as /tmp, only its owner can. Throws the error of the system.
 */
export const openToOthers = (path: string): string | undefined => {
  const own = process.getuid?.();
  return own === undefined ? undefined : findStep(path, ({ facts }) => isOpen(facts, own))?.path;
};

const isOpen = (facts: Stats, own: number): boolean => {
  if (facts.uid !== 0 && facts.uid !== own) return true;
  return facts.isDirectory() && (facts.mode & OTHERS_WRITE) !== 0 && (facts.mode & STICKY) === 0;
};

const namesOf = (path: string): string[] => path.split('/').filter((name) => name !== '' && name !== '.');
