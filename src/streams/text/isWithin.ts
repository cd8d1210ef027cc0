/** Whether a path lies in a folder, judged by their text alone. */

/** True if `path` is `folder` or lies in it. Both are absolute, with `/` between names, without links, dots or a trailing slash. */
export const isWithin = (folder: string, path: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);
