/** The token of a listener: reading its file, and comparing a text with it. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { permissionFault } from '../../io/files/fileError';
import { factsOrThrow, realPathOf } from '../../io/paths/look';
import { openToOthers } from '../../io/paths/steps';

/** The token in a file, without white space around it. Throws with cause and remedy when the file cannot be used. */
export const readToken = (path: string): string => {
  const fault = permissionFault(path, factsOrThrow(path).mode, process.platform);
  if (fault !== undefined) throw new Error(fault);
  const open = realPathOf(path) === undefined ? undefined : openToOthers(resolve(path)); // a pipe of this process has no such path
  if (open !== undefined)
    throw new Error(
      `Other users can replace ${path}, because they can change ${open}; keep it in a folder of your own`,
    );
  const token = readFileSync(path, 'utf8').trim();
  if (token === '')
    throw new Error(`${path} is empty; put a token into it, such as the output of: openssl rand -hex 32`);
  if (!/^[!-~]+$/.test(token))
    throw new Error(`${path} must hold one token of visible ASCII characters, without spaces`);
  return token;
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Takes the same time for every text. */
export const isSameToken = (token: string): ((text: string) => boolean) => {
  const expected = digest(token);
  return (text) => timingSafeEqual(digest(text), expected);
};
