/** Shortens and checks foreign texts: names, paths, addresses, what an error quotes. */

/** The text, cut after `maxChars` UTF-16 units with an ellipsis; never inside a surrogate pair. */
export const clip = (text: string, maxChars: number): string => {
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')}…`;
};

/** True if `path` is `folder` or lies in it. Both are absolute, with `/` between names, without links, dots or a trailing slash. */
export const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

/** The path that the file `.git` of a worktree or a submodule names, blanks included; undefined for any other text. Source: git 2.39, setup.c. */
export const gitdirOf = (text: string | undefined): string | undefined =>
  text?.startsWith(GITDIR) ? pathIn(text.slice(GITDIR.length)) : undefined;

const GITDIR = 'gitdir: ';

/** The path that a file has as its text; undefined for a text that is too long for a path. */
export const pathIn = (text: string): string | undefined => {
  const path = withoutEndBreaks(text);
  return path.length < PATH_MAX ? path : undefined;
};

/** Of Linux, the longest of all. */
const PATH_MAX = 4_096;

/** True for 1 to 64 letters, digits, `-` and `_`, which can become part of a NATS subject, stream or bucket. */
export const isPlainName = (name: string): boolean => /^[\w-]{1,64}$/.test(name);

/** Describes a plain name in an error. */
export const PLAIN_NAME = 'letters, digits, - and _, up to 64 of them';

/** The text without the line breaks at its end. The time is linear: somebody else wrote the text, and it may end with a million of them. */
export const withoutEndBreaks = (text: string): string => text.replace(/(?<![\r\n])[\r\n]+$/, '');

/** The text without the slashes at its end. The time is linear: somebody else wrote the text, and it may end with a million slashes. */
export const withoutEndSlash = (address: string): string => address.replace(/(?<!\/)\/+$/, '');

/** An address without the user, the password or the token before its host; any other text unchanged. */
export const withoutLogin = (address: string): string => address.replace(/^([a-z][\w+.-]*:\/\/)[^/?#]*@/i, '$1');

/** The text without the escapes of an address, such as `%20`; as it is if these are damaged. */
export const withoutEscapes = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
