/** The notes of patches under way, as files of this user. */
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError, type JournalNote, type Journals } from '../../patch';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

const NAME = /^(?<id>[0-9a-f]+)\.(?<phase>open|committed)$/;

/**
 * One file for each patch under way in a folder that only this user can enter. It stands in the folder of the configuration, which
 * commands in a sandbox cannot write: who could write notes could have files replaced.
 */
export const localJournals = (folder: string): Journals => {
  const fileOf = (id: string, phase: JournalNote['phase']): string => join(folder, `${id}.${phase}`);
  return {
    write: async (id, text) => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await checkFolder(folder);
      const draft = join(folder, `${id}.draft`); // no other process may take half a note for one that is not whole
      await writeNew(draft, text);
      await rename(draft, fileOf(id, 'open'));
      await sync(folder);
    },
    commit: async (id) => {
      await rename(fileOf(id, 'open'), fileOf(id, 'committed'));
      await sync(folder);
    },
    remove: async (id) => {
      for (const phase of ['open', 'committed'] as const) await rm(fileOf(id, phase), { force: true });
    },
    list: () => list(folder),
  };
};

const writeNew = async (path: string, text: string): Promise<void> => {
  const handle = await open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Systems without users have no ids to compare. */
const checkFolder = async (folder: string): Promise<void> => {
  const facts = await lstat(folder);
  const isOurs = process.getuid === undefined || facts.uid === process.getuid();
  if (!facts.isDirectory() || !isOurs) throw new Error(`${folder} must be a folder of this user, and no link`);
};

const sync = async (folder: string): Promise<void> => {
  try {
    const handle = await open(folder, O_RDONLY | O_DIRECTORY);
    await handle.sync().finally(() => handle.close());
  } catch (error) {
    if (!isSystemError(error, 'EACCES', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM')) throw error; // not all systems can
  }
};

const list = async (folder: string): Promise<JournalNote[]> => {
  try {
    await checkFolder(folder);
    const notes = (await readdir(folder)).map((name) => readNote(folder, name));
    return (await Promise.all(notes)).flat();
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return [];
    throw error;
  }
};

/** A note may be removed by its own process in the meantime. */
const readNote = async (folder: string, name: string): Promise<JournalNote[]> => {
  const { id, phase } = NAME.exec(name)?.groups ?? {};
  if (id === undefined) return [];
  try {
    const text = await readFile(join(folder, name), 'utf8');
    return [{ id, phase: phase === 'committed' ? 'committed' : 'open', text }];
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return [];
    throw error;
  }
};
