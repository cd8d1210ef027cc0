/** Keeps names free while a sandbox lives: a path that is not there cannot be made read-only, so a folder stands in for it. */
import { type Owners, readOwner } from '../../io/files/owner';
import { parseObject } from '../../protocol/jsonrpc/json';
import { inFolder } from './paths';
import { SandboxError } from './sandbox';
import type { SandboxFiles } from './sandboxFiles';

type Files = Pick<SandboxFiles, 'list' | 'readText' | 'makeFolder' | 'makeFile' | 'removeFolder' | 'removeFile'>;

export type ReserveDeps = {
  files: Files;
  /** Names this process among those that put markers into the same folder. */
  id: string;
  /** The owners of markers in a folder. Anybody may write a marker, so they have no sockets. */
  owners: (folder: string) => Pick<Owners, 'self' | 'stateOf'>;
  /** Receives each marker, and removes it with its folder when this process dies. */
  watch: (path: string) => () => void;
};

/** The paths at which a folder stands now; `release` gives them up. */
export type Reserved = { reserved: readonly string[]; release: () => void };

const MARKER = /^codex-rx-sandbox-/;

/** True for a placeholder: a folder that holds nothing but markers of processes that need it. */
export const isPlaceholder = ({ list }: Pick<Files, 'list'>, path: string): boolean => {
  const names = list(path);
  return names.length > 0 && names.every((name) => MARKER.test(name));
};

/**
 * Puts a folder at each path, with a marker of this process in it. The folder is removed with its last marker, whichever process
 * that belongs to; markers of processes that certainly ended are removed. A path where nothing can be made is left out: the command cannot
 * make anything there either.
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

/** Another process may take the folder away before the marker is in it. */
const TRIES = 3;

/** Undefined where nothing can be made; a folder of another user is as good as one of ours. */
const openPlace = ({ files, id, owners, watch }: ReserveDeps, path: string): Place | undefined => {
  const { self, stateOf } = owners(path.slice(0, path.lastIndexOf('/')) || '/');
  const marker = inFolder(path, `codex-rx-sandbox-${id}`);
  for (let i = 0; i < TRIES; i++) {
    if (files.makeFolder(path) === 'refused') return undefined;
    if (files.makeFile(marker, JSON.stringify(self())) === 'failed') continue;
    const forget = watch(marker);
    sweep(files, path, stateOf);
    const close = (): void => {
      files.removeFile(marker);
      files.removeFolder(path); // fails while others hold it
      forget();
    };
    return { holders: 0, close };
  }
  throw new SandboxError(`${path} is not there and cannot be kept from being made; make an empty folder there`);
};

const sweep = (files: Files, path: string, stateOf: Owners['stateOf']): void => {
  for (const name of files.list(path).filter((name) => MARKER.test(name))) {
    const marker = inFolder(path, name);
    const owner = readOwner(parseObject(files.readText(marker) ?? ''));
    const isEnded = owner.pid !== 0 && stateOf(owner) === 'ended'; // a marker may be there before its text
    if (isEnded) files.removeFile(marker);
  }
};
