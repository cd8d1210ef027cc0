/** A disk in memory that can fail or stop at any of its operations, with the journals that are kept beside it. */
import { dirname, join } from 'node:path';
import type { Disk, Entry, Journals, OpenFolder, StoredJournal } from '../../../src/executor/applying/disk';
import { decode, encode } from '../patch/support';

type Node = { kind: 'file' | 'link'; id: string; bytes: Uint8Array; mode: number | 'default'; owner?: Entry['owner'] };

/** When journals are written, in ms since 1970. */
export const WRITTEN_MS = 1_000;

/** `before`: runs before each operation, which is named and counted from 1; what it throws is what the operation rejects with. */
export type Faults = { before?: (operation: string, count: number) => void; links?: 'none' };

/** An error of the operating system. */
export const systemError = (code: string, errno: number): Error => Object.assign(new Error(code), { code, errno });

/** Files by absolute path; a folder is there when something is in it. Operations count on all disks that share the files. */
export const memoryDisk = (texts: Record<string, string>, faults: Faults = {}) => {
  const files = new Map<string, Node>();
  const folders = new Set<string>(['/']);
  const kept = new Map<string, StoredJournal>();
  const operations: string[] = [];
  let ids = 0;

  const addFolder = (path: string): void => {
    for (let folder = path; !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  };
  const put = (path: string, bytes: Uint8Array, more: Partial<Node> = {}): void => {
    addFolder(dirname(path));
    files.set(path, { kind: 'file', id: `${++ids}`, bytes, mode: 0o644, ...more });
  };
  for (const [path, text] of Object.entries(texts)) put(path, encode(text));

  const operate = async <T>(operation: string, act: () => T): Promise<T> => {
    operations.push(operation);
    faults.before?.(operation, operations.length);
    return act();
  };
  const at = (path: string): Node => {
    const node = files.get(path);
    if (!node) throw systemError(folders.has(path) ? 'EISDIR' : 'ENOENT', folders.has(path) ? -21 : -2);
    return node;
  };
  const mustBeFree = (path: string): void => {
    if (files.has(path) || folders.has(path)) throw systemError('EEXIST', -17);
  };

  const folderAt = (folder: string): OpenFolder => {
    const named = <T>(operation: string, name: string, act: (path: string) => T): Promise<T> =>
      operate(`${operation} ${join(folder, name)}`, () => act(join(folder, name)));
    return {
      entry: (name) =>
        named('entry', name, (path) => {
          const node = files.get(path);
          if (!node) return folders.has(path) ? { kind: 'folder' as const, id: path } : undefined;
          return { kind: node.kind, id: node.id, ...(node.owner && { owner: node.owner }) };
        }),
      read: (name) => named('read', name, (path) => at(path).bytes),
      create: (name, { bytes, mode, owner }) =>
        named('create', name, (path) => {
          mustBeFree(path);
          put(path, bytes, { mode, ...(owner && { owner }) });
        }),
      link: (name, newName) =>
        named('link', name, (path) => {
          if (faults.links === 'none') throw systemError('EPERM', -1);
          const node = at(path);
          mustBeFree(join(folder, newName));
          files.set(join(folder, newName), node);
        }),
      rename: (name, newName) =>
        named('rename', name, (path) => {
          const [node, target] = [at(path), join(folder, newName)];
          if (files.get(target) === node) return; // as rename(2) with two names of one file
          files.delete(path);
          files.set(target, node);
        }),
      remove: (name) => named('remove', name, (path) => void (at(path) && files.delete(path))),
      makeFolder: (name) =>
        named('makeFolder', name, (path) => {
          mustBeFree(path);
          folders.add(path);
        }),
      removeFolder: (name) =>
        named('removeFolder', name, (path) => {
          if (!folders.has(path)) throw systemError('ENOENT', -2);
          if ([...files.keys(), ...folders].some((other) => other.startsWith(`${path}/`)))
            throw systemError('ENOTEMPTY', -39);
          folders.delete(path);
        }),
      sync: () => named('sync', '', () => undefined),
      close: async () => {},
    };
  };

  const disk: Disk = {
    openFolder: (path) =>
      operate(`open ${path}`, () => {
        if (files.has(path)) throw systemError('ENOTDIR', -20);
        if (!folders.has(path)) throw systemError('ENOENT', -2);
        return folderAt(path);
      }),
  };
  const journals: Journals = {
    write: (id, text) =>
      operate('write journal', () => void kept.set(id, { id, phase: 'open', text, writtenMs: WRITTEN_MS })),
    commit: (id) =>
      operate('commit journal', () => {
        const journal = kept.get(id);
        if (!journal) throw systemError('ENOENT', -2);
        kept.set(id, { ...journal, phase: 'committed' });
      }),
    remove: (id) => operate('remove journal', () => void kept.delete(id)),
    list: () => operate('list journals', () => [...kept.values()]),
    claim: () => operate('claim journals', () => () => {}),
  };
  return {
    disk,
    journals,
    operations,
    put,
    kept,
    folders,
    node: (path: string) => files.get(path),
    link: (path: string) => put(path, encode(''), { kind: 'link' }),
    remove: (path: string) => files.delete(path),
    texts: () => Object.fromEntries([...files].sort().map(([path, { bytes }]) => [path, decode(bytes)])),
    /** The same files and journals behind other faults, as another process finds them. */
    faults,
  };
};

export type MemoryDisk = ReturnType<typeof memoryDisk>;
