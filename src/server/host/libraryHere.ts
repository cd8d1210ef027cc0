/** The prompts, threads and folders of this machine, as clients may see them, and what changes of its threads. */
import { type Dirent, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { catchError, concat, EMPTY, filter, ignoreElements, map, type Observable, pairwise, repeat } from 'rxjs';
import { linkFactsAt, readRegular } from '../../io/paths/look';
import type { Skill } from '../../protocol/methods/host';
import { clip } from '../../streams/text/trim';
import type { ThreadSummary } from '../../threads/listing/threadSummary';
import { fieldOf, headOf, type Library, type PromptFile, type ThreadChange } from '../mcp/library';

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

/** Folders that are looked into for skills, and how deep. Source: codex-rs/core-skills/src/loader.rs, which goes deeper. */
const SKILL_FOLDERS = { most: 500, levels: 3 };

/**
 * The skills below folders, each a folder with a file SKILL.md; the first of a name counts. No link is followed, and no hidden folder is looked into.
 * @param roots folders of a base, which may itself be a link: base and path below it
 */
export const skillsIn = (roots: readonly (readonly [base: string, below: readonly string[]])[]): Skill[] => {
  const found = new Map<string, Skill>(); // both are filled in place
  let left = SKILL_FOLDERS.most;
  const walk = (folder: string, level: number): void => {
    if (left === 0 || level > SKILL_FOLDERS.levels) return;
    left -= 1;
    const skill = skillIn(folder);
    if (skill !== undefined) {
      if (!found.has(skill.name)) found.set(skill.name, skill);
      return;
    }
    const inner = entriesOf(folder).filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    for (const { name } of inner.sort((one, other) => (one.name < other.name ? -1 : 1)))
      walk(join(folder, name), level + 1);
  };
  for (const [base, below] of roots) {
    const steps = below.map((_, at) => join(base, ...below.slice(0, at + 1)));
    if (steps.every((step) => linkFactsAt(step)?.isDirectory())) walk(join(base, ...below), 0);
  }
  return [...found.values()];
};

/** In characters. Source: agentskills.io, specification, which also limits names to 64. */
const MAX_DESCRIPTION = 1_024;

/** The description is a copy: a part of a text keeps the whole file in memory. */
const skillIn = (folder: string): Skill | undefined => {
  const path = join(folder, 'SKILL.md');
  const { head } = headOf(textOf(path) ?? '');
  const description = textOfField(head, 'description');
  const name = fieldOf(head, 'name') ?? basename(folder);
  if (description === undefined || !/^[\w:-]{1,64}$/.test(name)) return undefined;
  return { name: copyOf(name), description: copyOf(clip(description, MAX_DESCRIPTION)), path };
};

const copyOf = (text: string): string => Buffer.from(text).toString();

/** A field of one line, or of a block of indented lines. */
const textOfField = (head: string, name: string): string | undefined => {
  const block = new RegExp(`^${name}:[ \\t]*[|>][+-]?[ \\t]*\\r?\\n((?:[ \\t]+.*(?:\\r?\\n|$))+)`, 'm').exec(head)?.[1];
  return block === undefined ? fieldOf(head, name) : block.trim().replace(/\s+/g, ' ');
};

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

type Listed = readonly Pick<ThreadSummary, 'id' | 'writtenMs' | 'size'>[];

type WatchDeps = {
  /** Emits the threads once, as they are at its subscription. */
  list$: Observable<Listed>;
  /** Emits once, after that time, and completes. */
  after: (ms: number) => Observable<unknown>;
};

/** The time between two looks. A look reads the heads of up to a hundred files. */
const LOOK_MS = 2_000;

/**
 * Emits how the threads differ from the look before. A look that fails is left out: the next one shows what has changed since the last that did not.
 *   looks  a 2s a 2s b 2s #  2s c
 *   out    ----------B----------C     (B from a to b, C from b to c)
 */
export const watchThreads = ({ list$, after }: WatchDeps): Observable<ThreadChange> =>
  concat(list$.pipe(catchError(() => EMPTY)), after(LOOK_MS).pipe(ignoreElements())).pipe(
    repeat(),
    pairwise(),
    map(([before, now]) => toChange(before, now)),
    filter(({ changed, isListChanged }) => isListChanged || changed.length > 0),
  );

const toChange = (before: Listed, now: Listed): ThreadChange => {
  const old = new Map(before.map((one) => [one.id, one]));
  const isSame = ({ id, writtenMs, size }: Listed[number]) =>
    old.get(id)?.writtenMs === writtenMs && old.get(id)?.size === size;
  return {
    changed: now.filter((one) => !isSame(one)).map(({ id }) => id),
    isListChanged: now.length !== before.length || now.some(({ id }) => !old.has(id)),
  };
};
