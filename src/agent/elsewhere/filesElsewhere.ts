/** The files that a patch names on another machine: what is there, and changing them one after another. */
import { posix } from 'node:path';
import { defer, finalize, firstValueFrom, from, type Observable } from 'rxjs';
import { failureOf } from '../../executor/applying/failureOf';
import { changedFiles } from '../../executor/applying/transact';
import type { ChangeOutcome, FileChange, FileFacts } from '../../executor/files';
import { type FileState, FOLDER, type Seen } from '../../executor/patch/seen';
import type { WholeFiles } from '../../executor/remote/remoteFiles';
import { isSystemError, systemText } from '../../executor/systemErrors';
import { reasonOf } from '../../streams/text/reasons';

type LookElsewhereDeps = { files: Pick<WholeFiles, 'canonical' | 'facts' | 'read' | 'list'> };

/** What is at an absolute path; `..` and links are resolved as the system there does. Never rejects. Answers are as for files of this machine. */
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

/** What is done with a file. */
type Step = {
  path: string;
  /** Describes its failure. */
  failure: string;
  run: () => Promise<void>;
  undo: () => Promise<void>;
};

/**
 * Changes files on an executor that has no request for all of them. Checks that every file is as it was planned, then writes files, and removes files
 * last. If a step fails, or the subscriber leaves, all steps so far are rolled back, except for folders that were made. Unlike fs/applyChanges it
 * cannot roll back a part after a lost connection or when the executor is killed, and a file that was removed and came back may have another mode.
 * Emits once; never errors.
 * Source: codex exec-server 0.142.0 and 0.169.0, whose fs/writeFile keeps the mode of a file, and fs/copy that of its source.
 */
export const changeByFiles = (files: WholeFiles, changes: readonly FileChange[]): Observable<ChangeOutcome> =>
  defer(() => {
    const stop = new AbortController();
    return from(run(files, changedFiles(changes), stop.signal)).pipe(finalize(() => stop.abort()));
  });

const run = async (files: WholeFiles, changes: readonly FileChange[], signal: AbortSignal): Promise<ChangeOutcome> => {
  const begun: Step[] = []; // the last one first
  for (const step of stepsOf(files, changes)) {
    try {
      if (signal.aborted) throw new Error('the patch was stopped');
      begun.unshift(step);
      await step.run();
    } catch (error) {
      const left = await leftAfter(begun);
      return { kind: 'failed', message: `${step.failure}: ${reasonOf(error)}. ${consequence(left)}` };
    }
  }
  return { kind: 'applied' };
};

/** Rolls steps back; resolves with the paths of the steps that could not be rolled back. */
const leftAfter = async (steps: readonly Step[]): Promise<string[]> => {
  const left: string[] = [];
  for (const { undo, path } of steps) await undo().catch((error) => left.push(`${path} (${reasonOf(error)})`));
  return left;
};

const consequence = (left: readonly string[]): string =>
  left.length === 0 ? 'No file was changed' : `These files could not be brought back: ${left.join(', ')}`;

const stepsOf = (files: WholeFiles, changes: readonly FileChange[]): Step[] => [
  ...changes.map((change) => checked(files, change)),
  ...changes.filter(({ after }) => after).map((change) => written(files, change, changes)),
  ...changes.filter(({ after }) => !after).map((change) => removed(files, change)),
];

const nothing = async (): Promise<void> => {};

const CHANGED = 'it has changed since the patch was checked; read it and send a new patch';
const LINK = 'it is a link, which this executor cannot replace';

const checked = (files: WholeFiles, change: FileChange): Step => ({
  path: change.path,
  failure: failureOf(change),
  undo: nothing,
  run: async () => {
    if (change.found === 'link' && change.after) throw new Error(LINK);
    if (!(await isAs(files, change.real, change.before?.bytes))) throw new Error(CHANGED);
  },
});

/** True if a file holds these bytes; without bytes, if it is not there. */
const isAs = async ({ read }: WholeFiles, path: string, bytes: Uint8Array | undefined): Promise<boolean> => {
  try {
    const there = await firstValueFrom(read(path, (bytes?.length ?? 0) + 1));
    return bytes !== undefined && Buffer.compare(there, bytes) === 0;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return bytes === undefined;
    throw error;
  }
};

const written = (files: WholeFiles, change: FileChange, all: readonly FileChange[]): Step => {
  const { real, before, after } = change;
  const from = before ? undefined : all.find(({ movedTo }) => movedTo === real)?.real;
  return {
    path: change.path,
    failure: failureOf(change),
    run: async () => {
      if (!before) await firstValueFrom(files.makeDirectory(posix.dirname(real), { recursive: true }));
      if (from !== undefined) await firstValueFrom(files.copy(from, real)); // has its mode from there
      if (after) await firstValueFrom(files.write(real, after.bytes));
    },
    undo: async () => {
      if (before) await putBack(files, real, before.bytes);
      else await firstValueFrom(files.remove(real, { recursive: false, force: true }));
    },
  };
};

const removed = (files: WholeFiles, change: FileChange): Step => ({
  path: change.path,
  failure: failureOf(change),
  run: () => firstValueFrom(files.remove(change.real, { recursive: false, force: false })),
  undo: () => putBack(files, change.real, change.before?.bytes ?? new Uint8Array()),
});

/** A file that still holds these bytes is left alone: it may not be writable. */
const putBack = async (files: WholeFiles, path: string, bytes: Uint8Array): Promise<void> => {
  if (!(await isAs(files, path, bytes))) await firstValueFrom(files.write(path, bytes));
};
