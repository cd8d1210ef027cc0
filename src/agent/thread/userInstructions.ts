/** The instructions of AGENTS.md files for the model: the user's and the project's. */
import { dirname, join } from 'node:path';
import { isWithin } from '../../streams/text/trim';

/** The files of a machine; paths are absolute. */
type InstructionDeps = {
  /** Follows links; undefined if nothing is there. */
  realpath: (path: string) => string | undefined;
  /** Undefined if there is no file to read. */
  readFile: (path: string) => string | undefined;
  /** True for folders too. */
  exists: (path: string) => boolean;
  codexHome: string;
};

const NAME = 'AGENTS.md';
const SEPARATOR = '\n\n--- project-doc ---\n\n';

/**
 * The user's text, then the texts of the project from its root down to `cwd`; undefined if there is none. A project file that is a
 * link out of the project is not read.
 * @param cwd absolute, links resolved
 * @param maxBytes of UTF-8 that the files of the project may use together; 0 leaves them out
 * Source: Codex 0.28.0, CORE 4.7.
 */
export const userInstructions =
  (deps: InstructionDeps) =>
  (cwd: string, maxBytes: number): string | undefined => {
    const texts = [ownText(deps), projectText(deps, cwd, maxBytes)].filter((text) => text !== '');
    return texts.length === 0 ? undefined : texts.join(SEPARATOR);
  };

const ownText = ({ readFile, codexHome }: InstructionDeps): string => readFile(join(codexHome, NAME))?.trim() ?? '';

const projectText = ({ readFile, exists, realpath }: InstructionDeps, cwd: string, maxBytes: number): string => {
  const found: string[] = [];
  let left = maxBytes;
  const folders = foldersDownTo(cwd, exists);
  const [root = cwd] = folders;
  for (const folder of folders) {
    const real = left > 0 ? realpath(join(folder, NAME)) : undefined;
    const text = real !== undefined && isWithin(root, real) ? (readFile(real) ?? '') : '';
    if (text.trim() === '') continue;
    const bytes = Buffer.from(text).subarray(0, left);
    found.push(bytes.toString());
    left -= bytes.length;
  }
  return found.join('\n\n');
};

/** From the project root, which is the nearest folder with `.git` in it, down to `cwd`; `cwd` alone if there is no such folder. */
const foldersDownTo = (cwd: string, exists: InstructionDeps['exists']): string[] => {
  const upward = [cwd];
  for (let at = cwd; dirname(at) !== at; at = dirname(at)) upward.push(dirname(at));
  const root = upward.findIndex((folder) => exists(join(folder, '.git')));
  return upward.slice(0, Math.max(root, 0) + 1).reverse();
};
