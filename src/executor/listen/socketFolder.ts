/** Whether a Unix socket is safe where it is to be. */
import { dirname } from 'node:path';
import { factsOrThrow } from '../../io/paths/look';

const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/** Throws with cause and remedy if another user could put a socket of their own in the place of this one. */
export const checkSocketFolder = (path: string): void => {
  const folder = dirname(path);
  const { mode, uid } = factsOrThrow(folder);
  const isOwn = uid === 0 || uid === process.getuid?.();
  if (isOwn && ((mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0)) return;
  throw new Error(`Other users can replace a socket in ${folder}; name a folder of your own with mode 0700`);
};
