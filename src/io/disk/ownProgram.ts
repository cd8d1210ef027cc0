/** What this process has loaded and will load: a command that changed it would be run by the next start, without a sandbox. */
import { readlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isObject, parseObject } from '../../protocol/jsonrpc/json';
import { isWithin } from '../../streams/text/trim';
import { isThere, linkFactsAt, readIfThere, realPathOf } from '../paths/look';
import type { OwnModules, ProcessInfo } from '../serverProcess/serverProcess';

/** Absolute paths, without links. */
type OwnProgram = {
  /** The scripts of this program, folders for its packages (which may be missing: what is put there is loaded), Node, and what is loaded besides. */
  parts: string[];
  /** Folders that hold the links by which the program was started; whoever can write there can replace them. */
  links: string[];
};

/** What must not change, so that the next start runs the same. */
export const ownProgram = ({
  dist,
  node,
  modules = NO_MODULES,
}: Pick<ProcessInfo, 'dist' | 'node' | 'modules'>): OwnProgram => {
  const scripts = realPath(dist);
  const root = dirname(scripts);
  const parts = ['bin', 'package.json'].map((name) => join(root, name)).filter(isThere);
  const own = [scripts, ...parts, realPath(node)];
  const isNew = (path: string): boolean => !own.some((one) => isWithin(one, path));
  const packages = [root];
  for (const at of packages) {
    const folders = modules.foldersFor(at);
    own.push(...folders.filter(isNew));
    const found = dependenciesOf(at).flatMap((name) =>
      folders.flatMap((folder) => realPathOf(join(folder, name)) ?? []).slice(0, 1),
    );
    const linked = found.filter(isNew); // from elsewhere: the others are in these folders, with all that they need
    packages.push(...linked);
    own.push(...linked);
  }
  const others = modules.loaded().filter(isNew);
  return {
    parts: [...new Set([...own, ...others.flatMap((path) => realPathOf(path) ?? [])])],
    links: [...new Set(others.flatMap(foldersOfLinks))],
  };
};

const realPath = (path: string): string => realPathOf(path) ?? path;

/** Of a program that no Node has loaded from files. */
const NO_MODULES: OwnModules = { loaded: () => [], foldersFor: () => [] };

/** The names of the packages that a package may load. */
const dependenciesOf = (root: string): string[] => {
  const { dependencies, optionalDependencies, peerDependencies } = readManifest(join(root, 'package.json'));
  return [dependencies, optionalDependencies, peerDependencies].filter(isObject).flatMap(Object.keys);
};

const readManifest = (path: string) => {
  try {
    return parseObject(readIfThere(path) ?? '') ?? {};
  } catch {
    return {}; // Node cannot read it either
  }
};

const foldersOfLinks = (path: string): string[] => {
  if (realPathOf(path) === undefined) return [];
  const names = path.split('/');
  const at = names.findIndex((_, end) => end > 0 && linkFactsAt(names.slice(0, end + 1).join('/'))?.isSymbolicLink());
  if (at < 0) return [];
  const link = names.slice(0, at + 1).join('/');
  const target = resolve(dirname(link), readlinkSync(link), ...names.slice(at + 1));
  return [dirname(link), ...foldersOfLinks(target)];
};
