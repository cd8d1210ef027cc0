/** Files of a specification: a small tree in memory. */
import type { FileKind, SandboxFiles } from '../../../src/executor/sandbox/sandboxFiles';

/** A text, `null` for a folder, where a link leads, or a device, a socket or a pipe. */
export type Tree = Record<string, string | null | { link: string } | { other: true }>;

const isLink = (entry: Tree[string]): entry is { link: string } =>
  entry !== null && typeof entry === 'object' && 'link' in entry;

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

/** Short pieces, so that what is read ends and begins anywhere in them. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 61) yield bytes.subarray(at, at + 61);
}

/**
 * @param readOnly folders in which nothing can be made, @param broken folders in which making something fails
 * @param shared folders like `/tmp` @param open folders that others can read; the rest is closed to them
 * @param linked sockets that have a second name @param pipes what is no socket, nor anything else that has a text
 * @param foreign what belongs to another user, and is open to this one @param foreignClosed is not
 */
export const memoryFiles = (
  start: Tree,
  {
    readOnly = [],
    broken = [],
    shared = [],
    open = [],
    foreign = [],
    foreignClosed = [],
    linked = [],
    pipes = [],
  }: {
    [kind in 'readOnly' | 'broken' | 'shared' | 'open' | 'foreign' | 'foreignClosed' | 'linked' | 'pipes']?: string[];
  } = {},
): SandboxFiles & { tree: Map<string, Tree[string]> } => {
  const tree = new Map<string, Tree[string]>([['/', null], ...Object.entries(start)]);
  const realpath = (path: string, depth = 0): string | undefined => {
    if (path === '/') return '/';
    const parent = depth > 20 ? undefined : realpath(parentOf(path), depth + 1);
    if (parent === undefined) return undefined;
    const real = `${parent === '/' ? '' : parent}/${path.slice(path.lastIndexOf('/') + 1)}`;
    const entry = tree.get(real);
    if (entry === undefined) return undefined;
    return isLink(entry) ? realpath(entry.link, depth + 1) : real;
  };
  const kindOf = (path: string): FileKind | undefined => {
    const entry = tree.get(path);
    if (entry === undefined) return undefined;
    if (isLink(entry)) return 'link';
    return entry === null ? 'folder' : typeof entry === 'string' ? 'file' : 'other';
  };
  const make = (path: string, entry: string | null) => {
    if (tree.has(path)) return 'there' as const;
    const parent = parentOf(path);
    if (readOnly.includes(parent)) return 'refused' as const;
    if (broken.includes(parent) || tree.get(parent) !== null) return 'failed' as const;
    tree.set(path, entry);
    return 'made' as const;
  };
  const list = (folder: string): string[] =>
    [...tree.keys()].flatMap((path) =>
      path !== '/' && parentOf(path) === folder ? path.slice(folder.length + 1) : [],
    );
  return {
    tree,
    realpath,
    kindOf,
    takesFiles: (path) => tree.get(path) === null && !readOnly.includes(path),
    temporaryFor: (path) => (shared.includes(path) ? 'all' : open.includes(path) ? undefined : 'self'),
    ofStranger: (path) => (foreign.includes(path) ? 'open' : foreignClosed.includes(path) ? 'closed' : undefined),
    isOwn: (path) => ![...foreign, ...foreignClosed].includes(path),
    namesOfSocket: (path) => (kindOf(path) !== 'other' || pipes.includes(path) ? 0 : linked.includes(path) ? 2 : 1),
    list,
    readText: (path) => {
      const entry = tree.get(realpath(path) ?? '');
      return typeof entry === 'string' ? entry : undefined;
    },
    readStart: (path) => {
      const entry = tree.get(realpath(path) ?? '');
      return typeof entry === 'string' ? entry.slice(0, 100) : undefined;
    },
    inodeOf: (path) => {
      const entry = tree.get(realpath(path) ?? '');
      return typeof entry === 'string' ? [...tree.values()].indexOf(entry) : undefined; // files with the same text are one
    },
    *readPieces(path, read) {
      const entry = tree.get(realpath(path) ?? '');
      return typeof entry === 'string' ? yield* read(piecesOf(Buffer.from(entry, 'latin1'))) : undefined;
    },
    readUnlinked: (path) => {
      const entry = tree.get(path);
      return typeof entry === 'string' ? entry : undefined;
    },
    makeFolder: (path) => make(path, null),
    makeFile: make,
    removeFolder: (path) => void (list(path).length === 0 && tree.delete(path)),
    removeFile: (path) => void tree.delete(path),
  };
};
