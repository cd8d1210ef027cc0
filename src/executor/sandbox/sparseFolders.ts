/** Finds what a sandbox shows of folders in which secrets are created: programs write a new file beside the secret, and rename it. */
import { inFolder } from './paths';
import type { Link, Sparse } from './sandbox';
import type { SandboxFiles } from './sandboxFiles';

type Files = Pick<SandboxFiles, 'realpath' | 'kindOf' | 'list'>;

/**
 * Shows folders, and `.md` files, which people and models read; any other file may be a login, or become one. Links are shown as links
 * where they lead to one of these. @param folders absolute paths, with links or without
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
