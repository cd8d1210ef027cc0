/** Patches on the disk of this machine, also as the files of a patch that a client of the exec-server sends. */
import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath, stat } from 'node:fs/promises';
import { dirname, join, parse, resolve, sep } from 'node:path';
import { defer, map } from 'rxjs';
import { filesHere } from '../../io/disk/filesHere';
import { isOwnFolder } from '../../io/disk/namedHere';
import { ownProc } from '../../io/processes/ownProc';
import { INVALID_PARAMS, RpcError } from '../../protocol/jsonrpc/messages';
import type { Log } from '../../protocol/log';
import { startsInTurns } from '../../streams/pausing';
import { type ApplyDeps, applyPatch } from '../applying/applyPatch';
import type { Disk, OpenFolder } from '../applying/disk';
import { type Journal, readJournal } from '../applying/journal';
import { recoverPatches } from '../applying/recoverPatches';
import { rollBack } from '../applying/rollBack';
import { settlePatch } from '../applying/settlePatch';
import type { FileChange, FileContent, Files, PatchToSettle } from '../files';
import { checkPatch } from '../patch/checkPatch';
import type { FilePlan } from '../patch/plan';
import type { Editor } from '../patch/seen';
import { applyInEditor, lookInEditor } from './editorFiles';
import { folderAt } from './folderAt';
import { localJournals } from './localJournals';
import { look, readRegular } from './look';

/** The machine of the patches. */
export type PatchHereDeps = {
  /** An absolute path. Journals of patches are in it. */
  codexHome: string;
  platform: string;
  log: Log;
};

type PatchHere = {
  /** Plans what a patch would do in a folder; with an editor, to the files as it shows them. */
  check: (text: string, folder: string, editor?: Editor) => ReturnType<ReturnType<typeof checkPatch>>;
  /** Applies a plan. */
  apply: ReturnType<typeof applyPatch>;
  /** Settles the patches that killed processes left half done. */
  recover: () => Promise<void>;
  /** Settles one patch by its journal, which the caller keeps. */
  settle: (journal: Journal, how: Omit<PatchToSettle, 'journal'>) => Promise<void>;
};

/** The patches of this process. Call it once, so that all of them run one after another. */
export const patchHere = ({ codexHome, platform, log }: PatchHereDeps): PatchHere => {
  const { files, owners } = filesHere(codexHome);
  const deps: ApplyDeps = {
    disk: localDisk({ platform }),
    journals: localJournals({ files, isOwn: isOwnFolder }, join(codexHome, 'codex-rx', 'patches')),
    digest: (bytes) => createHash('sha256').update(bytes).digest('hex'),
    newId: () => randomBytes(8).toString('hex'),
    owners,
    reported: new Set(),
    committedSince,
    log,
  };
  const recover = () => recoverPatches(deps);
  const starts = startsInTurns({ now: () => performance.now(), soon: setImmediate });
  const check: PatchHere['check'] = (text, folder, editor) =>
    checkPatch({ look: editor ? lookInEditor(look, editor) : look, isFolder, recover, starts })(text, folder);
  return { check, apply: applyInEditor({ look, apply: applyPatch(deps) }), recover, settle: settleIn(deps) };
};

const settleIn =
  (deps: ApplyDeps): PatchHere['settle'] =>
  async (journal, { phase, sinceMs }) => {
    const { id } = journal;
    const leftovers =
      phase === 'interrupted'
        ? (await settlePatch(deps, journal, { phase: 'open', sinceMs })).leftovers
        : await rollBack(deps, journal, phase);
    if (leftovers.length > 0) deps.log('warning', 'a patch could not be settled as a whole', { id, leftovers });
  };

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false; // for any reason: nothing can be patched there
  }
};

/** What git writes at each commit, and for other changes of the branch. Source: gitrepository-layout(5), git-commit(1). */
const WRITTEN = ['logs/HEAD', 'COMMIT_EDITMSG'];

/** Whether a repository that holds one of these folders got a commit after a time, in ms since 1970. No git is run. False if nothing can be read. */
export const committedSince = async (folders: readonly string[], sinceMs: number): Promise<boolean> => {
  const repositories = new Set<string>();
  const seen = new Set<string>();
  for (const folder of folders) {
    for (let at = folder; !seen.has(at); at = dirname(at)) {
      seen.add(at);
      const found = await repositoryAt(at);
      if (found !== undefined) repositories.add(found);
    }
  }
  const times = [...repositories].flatMap((path) => WRITTEN.map((name) => writtenMs(join(path, name))));
  return (await Promise.all(times)).some((ms) => ms > sinceMs);
};

/** The file `.git` of a work tree holds one path. */
const MAX_BYTES = 65_536;

/** The folder of a repository, to which the file `.git` of a work tree leads. A command may have made a pipe of that name, or a link to a device. */
const repositoryAt = async (folder: string): Promise<string | undefined> => {
  const path = join(folder, '.git');
  try {
    if ((await stat(path)).isDirectory()) return path;
    const target = /^gitdir: (.+)$/m.exec(`${await readRegular(path, MAX_BYTES)}`)?.[1];
    return target === undefined ? undefined : resolve(folder, target);
  } catch {
    return undefined;
  }
};

const writtenMs = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return 0;
  }
};

/** Opens a folder for its path only, without the right to list it. Not among Node's constants. Source: open(2), asm-generic/fcntl.h. */
const O_PATH = 0o10000000;
const { O_DIRECTORY, O_NOFOLLOW } = constants;

/** Folders by their descriptors if the system can name a file in them (/proc/self/fd); otherwise by paths, checked before each use. */
export const localDisk = ({ platform, proc = ownProc }: { platform: string; proc?: typeof ownProc }): Disk => ({
  openFolder: (path) => (platform === 'linux' && proc() !== undefined ? openByDescriptor(path) : plainFolder(path)),
});

/** Walks down from the root; each step is into the folder that the last one opened. A link on the way is an error: ENOTDIR. */
const openByDescriptor = async (path: string): Promise<OpenFolder> => {
  const { root } = parse(path);
  let handle = await open(root, O_PATH | O_DIRECTORY);
  for (const name of path.slice(root.length).split(sep)) {
    if (name !== '') handle = await step(handle, name);
  }
  return folderAt(baseOf(handle), { check: async () => {}, close: () => handle.close() });
};

const step = async (folder: FileHandle, name: string): Promise<FileHandle> => {
  try {
    return await open(`${baseOf(folder)}/${name}`, O_PATH | O_DIRECTORY | O_NOFOLLOW);
  } finally {
    await folder.close();
  }
};

const baseOf = ({ fd }: FileHandle): string => `/proc/self/fd/${fd}`;

/**
 * Before each use the path must still lead to the opened folder. A process that swaps a folder for a link between the check and the use,
 * some microseconds, is not noticed: no call of macOS that Node offers can prevent that.
 */
const plainFolder = async (path: string): Promise<OpenFolder> => {
  const opened = await idOf(path);
  const check = async (): Promise<void> => {
    if ((await idOf(path)) !== opened) throw new Error(`${path} has been replaced by another folder or a link`);
  };
  return folderAt(path, { check, close: async () => {} });
};

const idOf = async (path: string): Promise<string> => {
  const { dev, ino } = await lstat(path, { bigint: true });
  if ((await realpath(path)) !== path)
    throw Object.assign(new Error('a link leads there'), { code: 'ELOOP', errno: -40 });
  return `${dev}:${ino}`;
};

export const toPlan = ({ before, after, ...change }: FileChange): FilePlan => ({
  ...change,
  before: toState(before),
  after: toState(after),
});

const toState = (content: FileContent | undefined): FilePlan['before'] => content && { ...content, access: 'writable' };

/** Applies them as patches of this machine: all or none, without following links. The sandbox of the process has decided what may be written. */
export const changeHere = (deps: PatchHereDeps): Pick<Files, 'change' | 'settle'> => {
  const { apply, settle } = patchHere(deps);
  return {
    change: (changes, journalId) => {
      const plan = { kind: 'plan' as const, files: changes.map(toPlan), summary: '' };
      return apply({ plan, mayWrite: () => true, ...(journalId !== undefined && { journalId }) }).pipe(
        map((outcome) => (outcome.kind === 'applied' ? { kind: 'applied' } : outcome)),
      );
    },
    settle: ({ journal: given, ...how }) =>
      defer(() => {
        const journal = readJournal(JSON.stringify(given));
        if (journal === undefined) throw new RpcError(INVALID_PARAMS, 'journal is not the journal of a patch');
        return settle(journal, how);
      }),
  };
};
