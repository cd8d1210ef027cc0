/** Finds what a folder shows in which secrets come into being: programs write a file beside it, and rename that. */
import { inFolder } from './paths';
import type { Link, Sparse } from './sandbox';
import type { SandboxFiles } from './sandboxFiles';

type Files = Pick<SandboxFiles, 'realpath' | 'kindOf' | 'list'>;

/**
 * Folders, and texts for people and models; another file may be a login, or become one. Links are shown as such where they lead to the
 * like. @param folders absolute paths, with links or without
 */
export const sparseFolders = (files: Files, folders: readonly string[]): Sparse[] =>
  folders
    .flatMap((path) => files.realpath(path) ?? [])
    .filter((path) => files.kindOf(path) === 'folder')
    .map((path) => {
      const entries = files.list(path).map((name) => inFolder(path, name));
      return {
        path,
        shown: entries.filter((entry) => isShown(files, entry)),
        links: entries.flatMap((entry) => toLink(files, entry)),
      };
    });

const isShown = ({ kindOf }: Files, path: string): boolean => {
  const kind = kindOf(path);
  return kind === 'folder' || (kind === 'file' && path.endsWith('.md'));
};

const toLink = (files: Files, path: string): Link[] => {
  const target = files.kindOf(path) === 'link' ? files.realpath(path) : undefined;
  return target !== undefined && isShown(files, target) ? [{ path, target }] : [];
};
