/** Finds out what is at a path that a patch names, on another machine. */
import { posix } from 'node:path';
import { firstValueFrom } from 'rxjs';
import { isSystemError, systemText } from '../../executor/applying/systemText';
import type { FileFacts } from '../../executor/files';
import type { FileState, Seen } from '../../executor/patch/seen';
import type { WholeFiles } from '../../executor/remote/remoteFiles';

/** The files of the machine, as promises: a plan is worked out in one go. */
export type LookElsewhereDeps = { files: Pick<WholeFiles, 'canonical' | 'facts' | 'read' | 'list'> };

const FOLDER: Seen = { kind: 'blocked', part: 'file', reason: 'Is a directory (os error 21)' };

/**
 * What is at an absolute path, which may hold `..` and links: both are resolved as the system there does. Never rejects. The answers are
 * the same as for files of this machine.
 */
export const lookElsewhere =
  (deps: LookElsewhereDeps) =>
  async (path: string, maxBytes: number): Promise<Seen> => {
    try {
      return path.endsWith('/') ? FOLDER : await lookBehindLinks(deps, path, maxBytes);
    } catch (error) {
      return { kind: 'blocked', part: isSystemError(error, 'ENOTDIR') ? 'parent' : 'file', reason: systemText(error) };
    }
  };

const lookBehindLinks = async ({ files }: LookElsewhereDeps, path: string, maxBytes: number): Promise<Seen> => {
  const real = await realIfThere(files, path);
  if (real === undefined) return lookForParent(files, path);
  const facts = await firstValueFrom(files.facts(real));
  if (facts.isDirectory) return FOLDER;
  const folder = await firstValueFrom(files.canonical(posix.dirname(path)));
  const bytes = await readRegular(files, { real, facts, maxBytes });
  const { mode, writable = true } = facts;
  const file: FileState = { bytes, mode: mode ?? 'default', access: writable ? 'writable' : 'readOnly' };
  return { kind: 'file', real, entry: posix.join(folder, posix.basename(path)), file };
};

type Reading = { real: string; facts: FileFacts; maxBytes: number };

const readRegular = async (files: LookElsewhereDeps['files'], { real, facts, maxBytes }: Reading) => {
  if (!facts.isFile) throw new Error('it is not a regular file');
  if (facts.size > maxBytes)
    throw new Error(`it has ${facts.size} bytes, and only ${maxBytes} are left for the files of a patch`);
  return firstValueFrom(files.read(real, maxBytes));
};

/** A new file, and folders that are to be made for it. A link that leads nowhere is not followed. */
const lookForParent = async (files: LookElsewhereDeps['files'], path: string): Promise<Seen> => {
  const nothing = { kind: 'blocked', reason: 'No such file or directory (os error 2)' } as const;
  const names: string[] = [];
  for (let at = path; ; at = posix.dirname(at)) {
    const parent = posix.dirname(at);
    names.unshift(posix.basename(at));
    const real = await realIfThere(files, parent);
    if (real !== undefined) {
      const isLink = names.length === 1 && (await holds(files, real, posix.basename(path)));
      return isLink ? { ...nothing, part: 'file' } : { kind: 'absent', real: posix.join(real, ...names) };
    }
    if (posix.basename(parent) === '..' || parent === at) return { ...nothing, part: 'parent' };
  }
};

const holds = async (files: LookElsewhereDeps['files'], folder: string, name: string): Promise<boolean> =>
  (await firstValueFrom(files.list(folder))).some(({ fileName }) => fileName === name);

const realIfThere = async (files: LookElsewhereDeps['files'], path: string): Promise<string | undefined> => {
  try {
    return await firstValueFrom(files.canonical(path));
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
};
