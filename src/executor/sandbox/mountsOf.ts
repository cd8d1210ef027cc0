/** Puts what a sandbox allows into the order in which a mount namespace is built. */
import { isWithin } from '../../text';
import { foldersBetween, isWithinAny } from './paths';
import type { Sandbox } from './sandbox';

/** `hiddenFile` and `hiddenFolder` cover what is there; the others show it, writable or not. */
export type Mount = { kind: 'writable' | 'readOnly' | 'hiddenFile' | 'hiddenFolder'; path: string };

const STRENGTH = { writable: 0, readOnly: 1, hiddenFile: 2, hiddenFolder: 2 } satisfies Record<Mount['kind'], number>;

/**
 * The mounts over a file system that is read-only as a whole, outer ones first, one per path; hidden ones last, for
 * nothing may cover them. Folders between a writable
 * one and a mount inside it become mounts of their own: a mount point cannot be renamed, so nothing can be moved away
 * and put in its place.
 *   writable /w, readOnly /w/a/.git  ->  /w writable, /w/a writable, /w/a/.git readOnly
 */
export const mountsOf = ({ writable, readOnly, hidden }: Sandbox): Mount[] => {
  const folders = hidden.filter(({ kind }) => kind === 'folder').map(({ path }) => path);
  const isCovered = (path: string) => folders.some((folder) => folder !== path && isWithin(folder, path));
  const mounts: Mount[] = [
    ...writable.map((path): Mount => ({ kind: 'writable', path })),
    ...readOnly.filter((path) => isWithinAny(writable, path)).map((path): Mount => ({ kind: 'readOnly', path })),
    ...hidden.map(({ path, kind }): Mount => ({ kind: kind === 'file' ? 'hiddenFile' : 'hiddenFolder', path })),
  ].filter(({ path }) => !isCovered(path));
  return inOrder([...pinsOf(mounts, readOnly), ...mounts]);
};

/** The folders on the way from each writable path to what is mounted inside it, as far as they are writable. */
const pinsOf = (mounts: readonly Mount[], readOnly: readonly string[]): Mount[] => {
  const writable = mounts.filter(({ kind }) => kind === 'writable').map(({ path }) => path);
  return mounts.flatMap(({ path }) =>
    writable
      .filter((root) => root !== path && isWithin(root, path))
      .flatMap((root) => foldersBetween(root, path))
      .filter((folder) => !isWithinAny(readOnly, folder))
      .map((folder): Mount => ({ kind: 'writable', path: folder })),
  );
};

const isHidden = ({ kind }: Mount): boolean => kind === 'hiddenFile' || kind === 'hiddenFolder';

/** The strongest mount of each path; `/a` sorts before `/a/b`. */
const inOrder = (mounts: readonly Mount[]): Mount[] => {
  const weakestFirst = [...mounts].sort((a, b) => STRENGTH[a.kind] - STRENGTH[b.kind]);
  const strongest = new Map(weakestFirst.map((mount) => [mount.path, mount]));
  const sorted = [...strongest.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  return [...sorted.filter((mount) => !isHidden(mount)), ...sorted.filter(isHidden)];
};
