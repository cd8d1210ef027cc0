/** The prompts, threads and folders of this machine, as clients may see them. */
import { type Dirent, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { linkFactsAt, readRegular } from '../../io/paths/look';
import type { Library, PromptFile } from '../mcp/library';

const MAX_PROMPTS = 500;
const MAX_BYTES = 262_144;
/** The most values that a client shows. Source: completion/complete. */
const MAX_FOLDERS = 100;

/** The library of a Codex home, without its host and the changes of its threads and tapes. @param tapeFolder absolute; absent if no tapes are offered */
export const libraryHere = (codexHome: string, tapeFolder?: string): Omit<Library, 'host' | 'threadChange$'> => ({
  hasPrompts: () => filesIn(join(codexHome, 'prompts')).length > 0,
  prompts: () => promptsIn(join(codexHome, 'prompts')),
  hasTapes: () => tapeNamesIn(tapeFolder).length > 0,
  hasThreads: () => entriesOf(join(codexHome, 'sessions')).length > 0,
  hasThread: (id) => hasFile(join(codexHome, 'sessions'), `-${id}.jsonl`),
  folders,
});

/** The newest folders first. */
const hasFile = (folder: string, ending: string): boolean =>
  entriesOf(folder)
    .sort((one, other) => (one.name < other.name ? 1 : -1))
    .some((entry) =>
      entry.isDirectory() ? hasFile(join(folder, entry.name), ending) : entry.isFile() && entry.name.endsWith(ending),
    );

const filesIn = (folder: string, names = /^[^.].*\.md$/): Dirent[] =>
  entriesOf(folder).filter((entry) => entry.isFile() && names.test(entry.name));

/** The names of the tapes directly in a folder; none without a folder. */
export const tapeNamesIn = (folder: string | undefined): string[] =>
  folder === undefined ? [] : filesIn(folder, /^[^.].*\.jsonl$/).map(({ name }) => name);

const promptsIn = (folder: string): PromptFile[] =>
  filesIn(folder)
    .slice(0, MAX_PROMPTS)
    .flatMap(({ name }): PromptFile[] => {
      const text = textOf(join(folder, name));
      return text === undefined ? [] : [{ name: name.slice(0, -'.md'.length), text }];
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));

const textOf = (path: string): string | undefined => {
  const facts = linkFactsAt(path);
  if (facts === undefined || !facts.isFile() || facts.size > MAX_BYTES) return undefined;
  try {
    return readRegular(path);
  } catch {
    return undefined; // it has gone, or is closed to this user: the list goes on without it
  }
};

/** Hidden folders are not named: most hold settings and secrets. */
const folders = (path: string): string[] => {
  if (!path.startsWith('/') || path.includes('/.')) return [];
  const folder = path.endsWith('/') ? path : `${dirname(path).replace(/\/$/, '')}/`;
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => `${folder}${name}`)
    .filter((one) => one.startsWith(path))
    .sort()
    .slice(0, MAX_FOLDERS);
};

const entriesOf = (folder: string): Dirent[] => {
  if (linkFactsAt(folder)?.isDirectory() !== true) return [];
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // the same
  }
};
