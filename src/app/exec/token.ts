/** Owns the token of a listener: where it is kept, and whether a word is it. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

const OTHERS = 0o077;

/** The token in a file, without white space around it. Throws words for people when the file will not do. */
export const readToken = (path: string): string => {
  const mode = statSync(path).mode & 0o777;
  if ((mode & OTHERS) !== 0 && process.platform !== 'win32') {
    throw new Error(`${path} is open to others (mode ${mode.toString(8)}); close it: chmod 600 ${path}`);
  }
  const token = readFileSync(path, 'utf8').trim();
  if (token === '')
    throw new Error(`${path} is empty; put a token into it, such as the output of: openssl rand -hex 32`);
  if (!/^[!-~]+$/.test(token)) throw new Error(`${path} must hold one word of visible ASCII characters`);
  return token;
};

const digest = (word: string): Buffer => createHash('sha256').update(word).digest();

/** Takes the same time for every word. */
export const isSameToken = (token: string): ((word: string) => boolean) => {
  const wanted = digest(token);
  return (word) => timingSafeEqual(digest(word), wanted);
};
