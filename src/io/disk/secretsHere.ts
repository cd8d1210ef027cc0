/** The places of secrets on this machine: places known by their paths or by their names, and what links in them lead to. */
import { type Dirent, readdirSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { isWithin } from '../../streams/text/trim';
import { realPathOf } from '../paths/look';
import {
  type Homes,
  isSecretEntry,
  isSecretInHome,
  MOVED_BY,
  OF_OTHER_SANDBOXES,
  PARENTS,
  secretPaths,
} from '../paths/secretPlaces';
import type { ProcessInfo } from '../serverProcess/serverProcess';

/** The process whose secrets these are. */
type Place = Pick<ProcessInfo, 'cwd' | 'home' | 'systemHome' | 'codexHome' | 'credentialFiles'> &
  Partial<Pick<ProcessInfo, 'env'>>;

/** All homes of the user, and all folders of Codex in them: neither HOME nor CODEX_HOME makes one of them harmless. */
export const homesOf = ({ home, systemHome, codexHome }: Omit<Place, 'cwd' | 'credentialFiles' | 'env'>): Homes => {
  const homes = distinct(
    [home, systemHome].flatMap((path) => (path === undefined ? [] : [toBase(realPathOf(path) ?? path)])),
  );
  return { homes, codexHomes: distinct([toBase(codexHome), ...homes.map((path) => `${path}/.codex`)]) };
};

const distinct = (paths: readonly string[]): string[] => [...new Set(paths)];

/** What the paths in a folder begin with, before their separator. */
const toBase = (folder: string): string => resolve(folder).replace(/[\\/]$/, '');

/**
 * Absolute paths of files and folders that hold secrets now; they may be links, or missing. What links in them lead to is a secret too, as tools that
 * manage dotfiles put files elsewhere; but for a folder that holds a home, or the folder of this process.
 */
export const secretsHere = (place: Place): (() => string[]) => {
  const { credentialFiles = [], env = {} } = place;
  const own = { ...homesOf(place), moved: movedBy(env) };
  const { homes, moved } = own;
  const kept = [...homes, place.cwd].flatMap((path) => [path, realPathOf(path) ?? path]);
  const others = homes.flatMap((home) => OF_OTHER_SANDBOXES.map((name) => `${home}/${name}`));
  return () => {
    const places = [
      ...secretPaths(own),
      ...credentialFiles,
      ...homes.flatMap(namedIn),
      ...moved.flatMap(([, to]) => secretsOfPrograms(to)),
    ];
    const linked = linkedFrom(places.filter((path) => !others.includes(path)));
    return distinct([...places, ...linked.filter((path) => !kept.some((one) => isWithin(path, one)))]);
  };
};

/** An empty or relative value counts as unset. Source: XDG Base Directory Specification 0.8. */
const movedBy = (env: ProcessInfo['env']): (readonly [from: string, to: string])[] =>
  Object.entries(MOVED_BY).flatMap(([name, from]) => {
    const to = env[name] ?? '';
    return isAbsolute(to) ? [[from, toBase(realPathOf(to) ?? to)] as const] : [];
  });

/** Nothing for what is missing, is no folder, or is closed to this user, and so to its commands. */
const listed = <T>(list: () => T[]): T[] => {
  try {
    return list();
  } catch {
    return [];
  }
};

const entriesOf = (folder: string): Dirent[] => listed(() => readdirSync(folder, { withFileTypes: true }));
const namesOf = (folder: string): string[] => listed(() => readdirSync(folder));

/** Whether something may have entries: links are followed. */
const mayHold = (entry: Dirent): boolean => entry.isDirectory() || entry.isSymbolicLink();

/** What is secret by its name: in a home, and in the folders that programs have there. */
const namedIn = (home: string): string[] => {
  const inHome = entriesOf(home);
  const hidden = inHome.filter((entry) => entry.name.startsWith('.') && mayHold(entry));
  return [
    ...inHome.flatMap(({ name }) => (isSecretInHome(name) ? [join(home, name)] : [])),
    ...hidden.flatMap(({ name }) => secretsOf(join(home, name))),
    ...PARENTS.flatMap((parent) => secretsOfPrograms(join(home, parent))),
  ];
};

/** The same in the folders that programs have in this one. */
const secretsOfPrograms = (parent: string): string[] =>
  entriesOf(parent)
    .filter(mayHold)
    .flatMap(({ name }) => secretsOf(join(parent, name)));

const secretsOf = (folder: string): string[] =>
  namesOf(folder)
    .filter(isSecretEntry)
    .map((name) => join(folder, name));

/** How many entries are looked at for links, those near the top first: the profile of a browser has thousands. */
const MAX_ENTRIES = 1_000;

/** What every program reads: a link there hides nothing. */
const SYSTEM = ['/usr', '/etc', '/opt', '/nix', '/lib', '/lib64', '/bin', '/var/lib', '/proc', '/sys', '/dev'];

/** Where links in the places lead, and links there, and so on. */
const linkedFrom = (places: readonly string[]): string[] => {
  const folders = distinct(places.flatMap((path) => realPathOf(path) ?? []));
  const found: string[] = [];
  let left = MAX_ENTRIES;
  for (const folder of folders) {
    if (left <= 0) break; // folders grows below: this is a search in breadth
    const entries = entriesOf(folder);
    left -= entries.length;
    folders.push(...entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name)));
    const targets = entries
      .filter((entry) => entry.isSymbolicLink())
      .flatMap(({ name }) => realPathOf(join(folder, name)) ?? [])
      .filter((path) => !folders.includes(path) && !SYSTEM.some((one) => isWithin(one, path)));
    folders.push(...targets);
    found.push(...targets);
  }
  return found;
};
