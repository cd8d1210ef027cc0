/** Placeholders that processes left behind, as they were killed together with what watches them: a later start removes these. */
import type { Owners } from '../../io/files/owner';
import type { PrivateFiles } from '../../io/files/privateFiles';
import { parseJson } from '../../protocol/jsonrpc/json';
import { isPlaceholder, type MarkerFiles, removeRules, sweep } from './enterSandbox';

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

/** More lines than this are of places that are long gone. */
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
  if (!isPlaceholder(files, path)) return false; // it was taken away, or somebody made a folder of their own
  const folder = path.slice(0, path.lastIndexOf('/')) || '/';
  sweep(files, path, owners(folder).stateOf);
  if (files.list(path).every((name) => name === 'info')) removeRules(files, path);
  files.removeFolder(path); // fails while other processes need it
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
