/** Whether a Unix socket is safe where it is to be. */
import { dirname } from 'node:path';
import { openToOthers } from '../../io/paths/steps';

/** Throws with cause and remedy if another user could put a socket of their own in the place of this one. */
export const checkSocketFolder = (path: string): void => {
  const folder = dirname(path);
  const open = openToOthers(folder);
  if (open === undefined) return;
  const place = open === folder ? '' : `, because they can change ${open}`;
  throw new Error(
    `Other users can replace a socket in ${folder}${place}; name a folder of your own with mode 0700, below folders that only you or root can write`,
  );
};
