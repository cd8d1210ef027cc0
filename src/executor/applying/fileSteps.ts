/** The folders of a patch, which are held open while it is applied, and the steps by which one file in them is changed. */
import { basename, dirname } from 'node:path';
import type { FilePlan } from '../patch/plan';
import { isSystemError } from '../systemErrors';
import type { Disk, OpenFolder } from './disk';
import type { Digest, JournalEntry } from './journal';

/** Folders by their paths, each opened once. */
export type OpenFolders = {
  /** Opens a folder that exists. */
  at: (path: string) => Promise<OpenFolder>;
  /** Makes a folder in an existing folder. */
  make: (path: string) => Promise<void>;
  missing: (path: string) => Promise<string[]>;
  all: () => OpenFolder[];
  close: () => Promise<void>;
};

/**
 * Folders by their path, each opened once and held until `close`: a path that changes meanwhile does not change the folder.
 * `missing`: the folders that must be made before a path can be opened, outermost first.
 */
export const openFolders = ({ openFolder }: Disk): OpenFolders => {
  const open = new Map<string, OpenFolder>();
  const at = async (path: string): Promise<OpenFolder> => {
    const folder = open.get(path) ?? (await openFolder(path));
    open.set(path, folder);
    return folder;
  };
  const missing = async (path: string): Promise<string[]> => {
    try {
      await at(path);
      return [];
    } catch (error) {
      if (!isSystemError(error, 'ENOENT') || dirname(path) === path) throw error;
      return [...(await missing(dirname(path))), path];
    }
  };
  return {
    at,
    missing,
    make: async (path) => (await at(dirname(path))).makeFolder(basename(path)),
    all: () => [...open.values()],
    close: async () => void (await Promise.allSettled([...open.values()].map((folder) => folder.close()))),
  };
};

/** One file of a patch with its names on the disk. */
export type FileStep = { plan: FilePlan; entry: JournalEntry };

type RunFile = (folder: OpenFolder, file: FileStep) => Promise<void>;

/** Writes the new content next to the file. */
export const stage: RunFile = async (folder, { plan: { before, after }, entry: { name, staged } }) => {
  if (after === undefined) return;
  const owner = before ? (await folder.entry(name))?.owner : undefined;
  await folder.create(staged, { ...after, ...(owner && { owner }) });
};

/** Gives the old content of a file that is changed, not removed, a second name; without hard links it is copied. */
export const keep =
  (digest: Digest): RunFile =>
  async (folder, file) => {
    const { before, after } = file.plan;
    const { name, kept } = file.entry;
    if (before === undefined || after === undefined) return;
    await withoutLinks(
      () => folder.link(name, kept),
      () => folder.create(kept, before),
    );
    await checkOld(digest, folder, file);
  };

/** Puts the new content in place of the old one, or removes the file. */
export const swap =
  (digest: Digest): RunFile =>
  async (folder, file) => {
    const { before, after } = file.plan;
    const { name, staged, kept } = file.entry;
    if (after === undefined) {
      await folder.rename(name, kept);
      await checkOld(digest, folder, file);
    } else if (before === undefined) await putNew(folder, staged, name);
    else await folder.rename(staged, name);
  };

/** Never overwrites a file that was created in the meantime. */
const putNew = async (folder: OpenFolder, staged: string, name: string): Promise<void> => {
  try {
    await withoutLinks(
      () => folder.link(staged, name),
      async () => {
        if (await folder.entry(name)) throw changed();
        await folder.rename(staged, name);
      },
    );
  } catch (error) {
    throw isSystemError(error, 'EEXIST') ? changed() : error;
  }
};

/** The old content must be the content for which the patch was made. If it was copied, the original is checked: the copy proves nothing about it. */
const checkOld = async (digest: Digest, folder: OpenFolder, { plan, entry }: FileStep): Promise<void> => {
  const [old, current] = [await folder.entry(entry.kept), await folder.entry(entry.name)];
  const isCopy = current !== undefined && current.id !== old?.id;
  const kind = (isCopy ? current : old)?.kind;
  if (kind !== plan.found) throw changed();
  if (kind === 'link') return; // nothing was made from what it leads to
  const content = await folder.read(isCopy ? entry.name : entry.kept);
  if (digest(content) !== entry.oldDigest) throw changed();
};

const changed = (): Error => new Error('it has changed since the patch was checked; read it and send a new patch');

/** Source: link(2): the errors of file systems without hard links, and of systems that forbid them. */
const NO_LINKS = ['EACCES', 'EMLINK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM'];

const withoutLinks = async (link: () => Promise<void>, otherwise: () => Promise<void>): Promise<void> => {
  try {
    await link();
  } catch (error) {
    if (!isSystemError(error, ...NO_LINKS)) throw error;
    await otherwise();
  }
};
