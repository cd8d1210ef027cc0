/** The instructions of AGENTS.md files for the model: the user's and the project's. */
import { dirname, join } from 'node:path';
import { isWithin } from '../../streams/text/trim';

type InstructionDeps = {
  /** Follows links; undefined if nothing is there. */
  realpath: (path: string) => string | undefined;
  /** Undefined if there is no file to read. */
  readFile: (path: string) => string | undefined;
  /** True for folders too. */
  exists: (path: string) => boolean;
  codexHome: string;
};

/** The files of a folder, of which the first that is there counts. Source: codex 0.153.4 and 0.171.0, in runs. */
export const INSTRUCTION_FILES = ['AGENTS.override.md', 'AGENTS.md'] as const;

const SEPARATOR = '\n\n--- project-doc ---\n\n';

/** Where the files of a project are looked for. */
export type InstructionSearch = {
  /** Absolute, links resolved. */
  cwd: string;
  /** Of UTF-8, of all files of the project together; 0 leaves them out. */
  maxBytes: number;
  /** More names of files, for folders without a file of the usual names. */
  fallbacks?: readonly string[];
  /** A folder with any of these is the root of a project; `.git` if absent. */
  markers?: readonly string[];
};

/**
 * The user's text, then the texts of the project from its root down to `cwd`; undefined if there is none. A project file that is a
 * link out of the project is not read.
 * Source: Codex 0.28.0, CORE 4.7; codex 0.171.0, in runs: a blank override hides the file of its folder in a project, but not in the home.
 */
export const userInstructions =
  (deps: InstructionDeps) =>
  (search: InstructionSearch): string | undefined => {
    const texts = [ownText(deps), projectText(deps, search)].filter((text) => text !== '');
    return texts.length === 0 ? undefined : texts.join(SEPARATOR);
  };

const ownText = ({ readFile, codexHome }: InstructionDeps): string => {
  const texts = INSTRUCTION_FILES.map((name) => readFile(join(codexHome, name))?.trim() ?? '');
  return texts.find((text) => text !== '') ?? '';
};

const projectText = (deps: InstructionDeps, search: InstructionSearch): string => {
  const found: string[] = [];
  let left = search.maxBytes;
  const folders = foldersDownTo(search, deps.exists);
  const [root = search.cwd] = folders;
  for (const folder of folders) {
    const text =
      left > 0
        ? textIn(
            deps,
            root,
            namesIn(search).map((name) => join(folder, name)),
          )
        : '';
    if (text.trim() === '') continue;
    const bytes = Buffer.from(text).subarray(0, left);
    found.push(bytes.toString());
    left -= bytes.length;
  }
  return found.join('\n\n');
};

/** The names of the files of a folder, the first choice first. A name with a separator is none, so that no file of another folder is read. */
export const namesIn = ({ fallbacks = [] }: Pick<InstructionSearch, 'fallbacks'>): readonly string[] => [
  ...INSTRUCTION_FILES,
  ...fallbacks.map((name) => name.trim()).filter((name) => name !== '' && !/[/\\]/.test(name)),
];

const textIn = ({ readFile, realpath }: InstructionDeps, root: string, paths: readonly string[]): string => {
  for (const path of paths) {
    const real = realpath(path);
    const text = real !== undefined && isWithin(root, real) ? readFile(real) : undefined;
    if (text !== undefined) return text;
  }
  return '';
};

/** From the project root, which is the nearest folder with a marker in it, down to `cwd`; `cwd` alone if there is no such folder. */
export const foldersDownTo = (
  { cwd, markers = ['.git'] }: Pick<InstructionSearch, 'cwd' | 'markers'>,
  exists: InstructionDeps['exists'],
): string[] => {
  const upward = [cwd];
  for (let at = cwd; dirname(at) !== at; at = dirname(at)) upward.push(dirname(at));
  const root = upward.findIndex((folder) => markers.some((marker) => exists(join(folder, marker))));
  return upward.slice(0, Math.max(root, 0) + 1).reverse();
};
