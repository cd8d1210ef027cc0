/** Opens what a path names without following a link on the way. Linux: an open folder names its entries. */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/** Opens for the path only, so that no right to read is needed. Not among Node's constants. Source: open(2), asm-generic/fcntl.h. */
const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW } = constants;
const FOLDER = O_PATH | O_DIRECTORY | O_NOFOLLOW;

const at = (fd: number, name: string): string => `/proc/self/fd/${fd}/${name}`;

/** A descriptor of a folder or a file; the caller closes it. Throws the system's error, ENOTDIR if a link is on the way. */
export const openNoFollow = (path: string): number => {
  const names = path.split('/').filter((name) => name !== '');
  let fd = openSync('/', FOLDER);
  names.forEach((name, i) => {
    const folder = fd;
    try {
      fd = i === names.length - 1 ? openLast(at(folder, name)) : openSync(at(folder, name), FOLDER);
    } finally {
      closeSync(folder);
    }
  });
  return fd;
};

/** A folder, or a file; O_PATH would open a link itself. */
const openLast = (path: string): number => {
  try {
    return openSync(path, FOLDER);
  } catch (error) {
    const fd = openSync(path, O_PATH | O_NOFOLLOW);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
    throw error;
  }
};

/** Acts on a name in its folder, even if the folders above change meanwhile. */
export const inParent = <T>(path: string, act: (path: string) => T): T => {
  const end = path.lastIndexOf('/');
  const fd = openNoFollow(path.slice(0, end) || '/');
  try {
    return act(at(fd, path.slice(end + 1)));
  } finally {
    closeSync(fd);
  }
};
