/** Paths of which the text alone does not tell where they lead. */

/**
 * True for a path with `..` behind a name: that name may be a link, and `link/..` is the folder above its target. Behind an option too,
 * as in `--file=link/..`.
 */
export const climbsBack = (path: string): boolean => /(?:^|[/=])(?!\.{1,2}\/)[^/]+\/(?:\.?\/)*\.\.(?:\/|$)/.test(path);
