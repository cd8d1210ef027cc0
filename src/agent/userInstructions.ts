/** Owns what AGENTS.md files tell the model: the user's own and those of the project. */
import { dirname, join } from 'node:path';

/** `readFile` gives undefined where there is no file to read; `exists` is true for folders too; paths are absolute. */
export type InstructionDeps = {
  readFile: (path: string) => string | undefined;
  exists: (path: string) => boolean;
  codexHome: string;
};

const NAME = 'AGENTS.md';
const SEPARATOR = '\n\n--- project-doc ---\n\n';

/**
 * The user's text, then those of the project from its root down to `cwd`; undefined where there is none.
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

const projectText = ({ readFile, exists }: InstructionDeps, cwd: string, maxBytes: number): string => {
  const found: string[] = [];
  let left = maxBytes;
  for (const folder of foldersDownTo(cwd, exists)) {
    const text = left > 0 ? (readFile(join(folder, NAME)) ?? '') : '';
    if (text.trim() === '') continue;
    const bytes = Buffer.from(text).subarray(0, left);
    found.push(bytes.toString());
    left -= bytes.length;
  }
  return found.join('\n\n');
};

/** From the root of the project, the nearest folder with `.git` in it, down to `cwd`; `cwd` alone where there is none. */
const foldersDownTo = (cwd: string, exists: InstructionDeps['exists']): string[] => {
  const upward = [cwd];
  for (let at = cwd; dirname(at) !== at; at = dirname(at)) upward.push(dirname(at));
  const root = upward.findIndex((folder) => exists(join(folder, '.git')));
  return upward.slice(0, Math.max(root, 0) + 1).reverse();
};
