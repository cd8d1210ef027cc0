/** The journals of patches under way, as files of this user. */
import { join } from 'node:path';
import { FileError } from '../../io/files/fileError';
import type { PrivateFiles } from '../../io/files/privateFiles';
import type { Journals, StoredJournal } from '../applying/disk';

type JournalDeps = {
  files: PrivateFiles;
  /** Whether a folder belongs to this user; true if there is no folder. */
  isOwn: (folder: string) => boolean;
  /** Resolves after so many ms. Default: a timer. */
  pause?: (ms: number) => Promise<unknown>;
};

/** How often a process checks whether another process has settled the patches: 10 s at most. */
const TRIES = 200;
const PAUSE_MS = 50;

const NAME = /^(?<id>[0-9a-f]+)\.(?<phase>open|committed)$/;

/**
 * One file for each patch under way, in a folder that only this user can enter. The folder is in the Codex home, which commands in
 * a sandbox cannot write: a process that could write journals could have files replaced.
 */
export const localJournals = ({ files, isOwn, pause }: JournalDeps, folder: string): Journals => {
  const fileOf = (id: string, phase: StoredJournal['phase']): string => join(folder, `${id}.${phase}`);
  const readStored = (name: string): StoredJournal[] => {
    const { id, phase } = NAME.exec(name)?.groups ?? {};
    const path = join(folder, name);
    const text = id === undefined ? undefined : files.read(path);
    if (id === undefined || text === undefined) return []; // its own process may have removed it in the meantime
    const writtenMs = files.facts(path)?.writtenMs ?? 0;
    return [{ id, phase: phase === 'committed' ? 'committed' : 'open', text, writtenMs }];
  };
  const check = (): void => {
    if (!isOwn(folder)) throw new FileError(`${folder} must be a folder of this user: remove it, or move it away`);
  };
  return {
    write: async (id, text) => {
      check();
      files.replace(fileOf(id, 'open'), text);
    },
    commit: async (id) => files.move(fileOf(id, 'open'), fileOf(id, 'committed')),
    remove: async (id) => {
      for (const phase of ['open', 'committed'] as const) files.remove(fileOf(id, phase));
    },
    list: async () => {
      check();
      files.tidy(folder);
      return files.list(folder).flatMap(({ name, isFolder }) => (isFolder ? [] : readStored(name)));
    },
    claim: () => claimIn({ files, pause }, join(folder, 'settle.lock')),
  };
};

const inTime = (ms: number): Promise<unknown> => new Promise((wake) => setTimeout(wake, ms));

const claimIn = async (
  { files, pause = inTime }: Pick<JournalDeps, 'files' | 'pause'>,
  path: string,
): Promise<(() => void) | undefined> => {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const lock = files.lock(path);
    if (lock.kind === 'locked') return lock.release;
    await pause(PAUSE_MS);
  }
  return undefined;
};
