/**
 * Placeholders: folders in the place of a missing `.git` or `.codex` while commands run, so that no command makes one. They are removed with the last command;
 * a later start removes what killed processes left behind.
 */
import { type Owners, readOwner } from '../../io/files/owner';
import type { PrivateFiles } from '../../io/files/privateFiles';
import { inFolder } from '../../io/paths/relations';
import { parseJson, parseObject } from '../../protocol/jsonrpc/json';
import { ignoreRules } from './findProtected';
import { guardedBy, isNextToGit, mustStay } from './openedRepositories';
import { SandboxError } from './sandbox';
import type { FolderOutcome, SandboxFiles } from './sandboxFiles';

/** What placeholders and their markers need of the disk. */
type MarkerFiles = Pick<
  SandboxFiles,
  'list' | 'kindOf' | 'readText' | 'readUnlinked' | 'makeFolder' | 'makeFile' | 'removeFolder' | 'removeFile'
>;

export type ReserveDeps = {
  files: MarkerFiles;
  /** The name of this process among the processes that put markers into the same folder. */
  id: string;
  /** The owners of markers in a folder. Anybody may write a marker, so they have no sockets. */
  owners: (folder: string) => Pick<Owners, 'self' | 'stateOf'>;
  /** Receives each marker, and removes it with its folder when this process dies. */
  watch: (path: string) => () => void;
};

/** The paths at which a folder stands now. */
type Reserved = {
  reserved: readonly string[];
  /** Gives the paths up. */
  release: () => void;
};

const MARKER = /^codex-rx-sandbox-/;
/** A file next to the markers in a folder of the user: no process, nor the watcher of one, removes a folder that holds it. */
const KEPT = 'codex-rx-sandbox-kept';
/** A folder of a placeholder of `.git`. */
export const INFO = 'info';

/** True for a placeholder: a folder that holds nothing but markers of processes that need it, and rules. */
export const isPlaceholder = ({ kindOf, list }: Pick<MarkerFiles, 'kindOf' | 'list'>, path: string): boolean => {
  const names = kindOf(path) === 'folder' ? list(path) : [];
  return names.length > 0 && names.every((name) => MARKER.test(name) || name === INFO);
};

/** True for an empty folder: a placeholder that another process is about to mark, or to remove; or a folder of the user. */
export const isEmptyFolder = ({ kindOf, list }: Pick<MarkerFiles, 'kindOf' | 'list'>, path: string): boolean =>
  kindOf(path) === 'folder' && list(path).length === 0;

/**
 * Keeps names free while a sandbox exists: a path that does not exist cannot be made read-only, so a folder is put there, with a marker of this process in
 * it. The folder is removed with its last marker, of whichever process, unless the user had made it; markers of processes that certainly ended are removed.
 * A path at which nothing can be made is left out: the command cannot make anything there either.
 */
export const reservePaths = (deps: ReserveDeps): ((paths: readonly string[]) => Reserved) => {
  const known = new Map<string, Place>();
  const take = (path: string): boolean => {
    const place = known.get(path) ?? openPlace(deps, path);
    if (place === undefined) return false;
    known.set(path, { ...place, holders: place.holders + 1 });
    return true;
  };
  const giveUp = (path: string): void => {
    const place = known.get(path);
    if (place === undefined) return;
    if (place.holders > 1) known.set(path, { ...place, holders: place.holders - 1 });
    else if (known.delete(path)) place.close();
  };
  return (paths) => {
    const reserved: string[] = [];
    const release = () => reserved.forEach(giveUp);
    try {
      for (const path of paths) if (take(path)) reserved.push(path);
    } catch (error) {
      release();
      throw error;
    }
    return { reserved, release };
  };
};

/** A folder with our marker in it, and how many sandboxes need it. */
type Place = { holders: number; close: () => void };

/** Another process may remove the folder before the marker is in it. */
const TRIES = 3;

/** Undefined if nothing can be made. A folder of another user that is there already is used as it is. */
const openPlace = ({ files, id, owners, watch }: ReserveDeps, path: string): Place | undefined => {
  const { self, stateOf } = owners(path.slice(0, path.lastIndexOf('/')) || '/');
  const marker = inFolder(path, `codex-rx-sandbox-${id}`);
  for (let i = 0; i < TRIES; i++) {
    const outcome = files.makeFolder(path);
    if (outcome === 'refused') return undefined;
    const wasEmpty = outcome === 'there' && isEmptyFolder(files, path);
    const isMarked = files.makeFile(marker, JSON.stringify(self()));
    if (isMarked === 'failed') continue;
    sweep(files, path, stateOf);
    const isOfUser = wasEmpty && files.list(path).every((name) => marker.endsWith(`/${name}`));
    if (isOfUser) files.makeFile(inFolder(path, KEPT), '');
    const takeOthers = openOthers({ files, watch }, path); // watched before the marker, as its folder is empty only without them
    const forget = isNextToGit(path) || isMarked === 'refused' ? () => {} : watch(marker);
    const close = (): void => {
      takeOthers();
      files.removeFile(marker);
      if (!mustStay(files, path)) leave(files, path, isOfUser);
      forget();
    };
    return { holders: 0, close };
  }
  throw new SandboxError(`${path} is not there and cannot be kept from being made; make an empty folder there`);
};

const isThere = (outcome: FolderOutcome): boolean => outcome === 'made' || outcome === 'there';

const markersIn = ({ list }: Pick<MarkerFiles, 'list'>, path: string): string[] =>
  list(path).filter((name) => MARKER.test(name) && name !== KEPT);

/** Removes a placeholder unless processes need it; of a folder of the user only what says so. */
const leave = (files: MarkerFiles, path: string, isOfUser: boolean): void => {
  if (markersIn(files, path).length > 0) return;
  const kept = inFolder(path, KEPT);
  const isKept = isOfUser || files.kindOf(kept) !== undefined;
  files.removeFile(kept);
  if (!isKept) files.removeFolder(path); // fails if anything else is in it
};

/** Makes what belongs to a placeholder besides its marker; the function that it returns takes it away, unless other processes need it as well. */
const openOthers = ({ files, watch }: Pick<ReserveDeps, 'files' | 'watch'>, path: string): (() => void) => {
  const rules = ignoreRules(files, path);
  const made = guardedBy(path).filter(([file, text]) => isThere(files.makeFile(file, text)));
  if (rules !== undefined && isThere(files.makeFolder(inFolder(path, INFO)))) files.makeFile(excludeIn(path), rules);
  const forget = rules === undefined ? () => {} : watch(excludeIn(path));
  return () => {
    forget();
    if (markersIn(files, path).length > 1) return;
    for (const [file, text] of made) if (files.readText(file) === text) files.removeFile(file);
    if (rules !== undefined) removeRules(files, path);
  };
};

/** Removes the rules of a placeholder that nobody needs any more. */
const removeRules = (files: Pick<MarkerFiles, 'removeFile' | 'removeFolder'>, path: string): void => {
  files.removeFile(excludeIn(path));
  files.removeFolder(inFolder(path, INFO));
};

const excludeIn = (path: string): string => inFolder(inFolder(path, INFO), 'exclude');

/** Removes the markers of processes that certainly ended from a folder. */
const sweep = (files: MarkerFiles, path: string, stateOf: Owners['stateOf']): void => {
  for (const name of markersIn(files, path)) {
    const marker = inFolder(path, name);
    const owner = readOwner(parseObject(files.readText(marker) ?? ''));
    const isEnded = owner.pid !== 0 && stateOf(owner) === 'ended'; // a marker may be there before its text
    if (isEnded) files.removeFile(marker);
  }
};

type PlacesDeps = {
  /** Out of reach of the sandboxes. */
  notes: Pick<PrivateFiles, 'read' | 'open' | 'replace'>;
  /** The file with the paths of the placeholders, a line for each. */
  list: string;
  files: MarkerFiles;
  /** The owners of markers in a folder. */
  owners: (folder: string) => Pick<Owners, 'stateOf'>;
  /** Receives why the list cannot be used; the sandboxes work without it. */
  failed: (error: Error) => void;
};

type Places = {
  /** Removes what other processes left. Never throws. */
  clean: () => void;
  /** Remembers a placeholder until a later start has removed it. Never throws. */
  note: (path: string) => void;
};

/** Lines before the last so many name places that are long gone. */
const MAX_LINES = 1_000;

/** The places of one Codex home. A path is written once for each process, not once for each command. */
export const leftPlaceholders = (deps: PlacesDeps): Places => {
  const noted = new Set<string>(); // by this process
  const attempt = (run: () => void): void => {
    try {
      run();
    } catch (error) {
      deps.failed(error as Error);
    }
  };
  return {
    clean: () => attempt(() => clean(deps)),
    note: (path) => {
      if (noted.has(path)) return;
      noted.add(path);
      attempt(() => append(deps, path));
    },
  };
};

const clean = (deps: PlacesDeps): void => {
  const { notes, list } = deps;
  const text = notes.read(list);
  if (text === undefined || text === '') return;
  const paths = [...new Set(text.split('\n').map(parseJson))].filter((path) => typeof path === 'string');
  const left = paths.slice(-MAX_LINES).filter((path) => isLeft(deps, path));
  if (left.length < paths.length) notes.replace(list, left.map(toLine).join(''));
};

/** True if other processes need the placeholder, after what has ended was removed. */
const isLeft = ({ files, owners }: PlacesDeps, path: string): boolean => {
  if (!isPlaceholder(files, path)) {
    if (markersIn(files, path).length === 0) files.removeFile(inFolder(path, KEPT));
    return false; // it was taken away, or somebody made a folder of their own
  }
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  sweep(files, path, owners(folder).stateOf);
  if (markersIn(files, path).length === 0) removeRules(files, path);
  leave(files, path, false);
  return files.list(path).length > 0;
};

const append = ({ notes, list }: PlacesDeps, path: string): void => {
  const file = notes.open(list);
  try {
    file.append(toLine(path));
  } finally {
    file.close();
  }
};

const toLine = (path: string): string => `${JSON.stringify(path)}\n`;
