/** Puts what a sandbox allows into the order in which a mount namespace is built. */
import { isWithin } from '../../../streams/text/trim';
import { foldersBetween, isWithinAny } from '../paths';
import type { Link, Sandbox, Sparse } from '../sandbox';

/**
 * `hiddenFile`, `hiddenFolder` and `empty` cover what is there; `sparse` does too, and other mounts may lie in it. `shown` is read-only and may be
 * gone; `link` is made in a sparse folder. The others show what is there, writable or not.
 */
export type Mount =
  | { kind: 'writable' | 'shown' | 'readOnly' | 'empty' | 'sparse' | 'hiddenFile' | 'hiddenFolder'; path: string }
  | ({ kind: 'link' } & Link);

/** Of mounts at one path the later kind counts. */
const STRENGTH = [
  'link',
  'shown',
  'writable',
  'readOnly',
  'empty',
  'sparse',
  'hiddenFile',
  'hiddenFolder',
] satisfies Mount['kind'][];
const strengthOf = ({ kind }: Mount): number => STRENGTH.indexOf(kind);

/**
 * The mounts over a file system that is read-only as a whole, outer ones first, one per path; hidden ones last, for nothing may cover them. Folders
 * between a writable one and a mount inside it become mounts of their own: a mount point cannot be renamed, so nothing can be moved away and put in
 * its place.
 *   writable /w, readOnly /w/a/.git  ->  /w writable, /w/a writable, /w/a/.git readOnly
 */
export const mountsOf = ({ writable, readOnly, empty = [], hidden, sparse = [] }: Sandbox): Mount[] => {
  const folders = hidden.filter(({ kind }) => kind === 'folder').map(({ path }) => path);
  const isCovered = (path: string) => folders.some((folder) => folder !== path && isWithin(folder, path));
  const isWritable = (path: string) => isWithinAny(writableAround(writable, sparse, path), path);
  const mounts: Mount[] = [
    ...writable.map((path): Mount => ({ kind: 'writable', path })),
    ...readOnly.filter(isWritable).map((path): Mount => ({ kind: 'readOnly', path })),
    ...empty.filter(isWritable).map((path): Mount => ({ kind: 'empty', path })),
    ...sparse.flatMap(toMounts),
    ...hidden.map(({ path, kind }): Mount => ({ kind: kind === 'file' ? 'hiddenFile' : 'hiddenFolder', path })),
  ].filter(({ path }) => !isCovered(path));
  return inOrder([...pinsOf(mounts, [...readOnly, ...empty, ...sparse.map(({ path }) => path)]), ...mounts]);
};

/** A sparse folder takes what lies in it out of the writable ones around it. */
const writableAround = (writable: readonly string[], sparse: readonly Sparse[], path: string): readonly string[] =>
  sparse
    .filter((folder) => folder.path !== path && isWithin(folder.path, path))
    .reduce((left, folder) => left.filter((root) => isWithin(folder.path, root)), writable);

const toMounts = ({ path, shown, links }: Sparse): Mount[] => [
  { kind: 'sparse', path },
  ...shown.map((path): Mount => ({ kind: 'shown', path })),
  ...links.map((link): Mount => ({ kind: 'link', ...link })),
];

/** The folders on the way from each writable path to what is mounted inside it, as far as they are writable. */
const pinsOf = (mounts: readonly Mount[], kept: readonly string[]): Mount[] => {
  const writable = mounts.filter(({ kind }) => kind === 'writable').map(({ path }) => path);
  return mounts.flatMap(({ path }) =>
    writable
      .filter((root) => root !== path && isWithin(root, path))
      .flatMap((root) => {
        const keptInside = kept.filter((folder) => isWithin(root, folder));
        return foldersBetween(root, path).filter((folder) => !isWithinAny(keptInside, folder));
      })
      .map((folder): Mount => ({ kind: 'writable', path: folder })),
  );
};

const isHidden = ({ kind }: Mount): boolean => kind === 'hiddenFile' || kind === 'hiddenFolder';

/** The strongest mount of each path; `/a` sorts before `/a/b`. */
const inOrder = (mounts: readonly Mount[]): Mount[] => {
  const weakestFirst = [...mounts].sort((a, b) => strengthOf(a) - strengthOf(b));
  const strongest = new Map(weakestFirst.map((mount) => [mount.path, mount]));
  const sorted = [...strongest.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return [...sorted.filter((mount) => !isHidden(mount)), ...sorted.filter(isHidden)];
};
