/** Finds out what a patch would do, without applying it. */
import { isAbsolute, sep } from 'node:path';
import {
  concatMap,
  defaultIfEmpty,
  defer,
  from,
  last,
  map,
  mergeScan,
  type Observable,
  of,
  type SchedulerLike,
} from 'rxjs';
import { inTurns, type Pausing } from '../../streams/pausing';
import { linesOfPatch } from './grammar/linesOfPatch';
import { parseSection } from './grammar/parseSection';
import type { GrammarFailure, Patch, Section } from './grammar/patch';
import type { FilePlan, PatchFailure, Plan } from './plan';
import { planSection, type Report } from './planSection';
import type { Seen, View } from './seen';
import { noWorld, type World } from './world';

type CheckDeps = ViewDeps & {
  /** Settles what killed processes left half done, so that no plan is based on it. */
  recover: () => Promise<void>;
  /** False if there is nothing. */
  isFolder: (path: string) => Promise<boolean>;
  /** When the planning of a patch of large files goes on; see `startsInTurns`. */
  starts: SchedulerLike;
};

/**
 * Reads a patch and the files that it names in a folder, and works out what it would do. Nothing is written.
 * Emits the plan, or why there is none, and completes; errors only on bugs.
 *   text  a---
 *   out   --(P|)
 */
export const checkPatch =
  (deps: CheckDeps) =>
  (text: string, folder: string): Observable<Plan | PatchFailure> =>
    defer(() => {
      const patch = parsePatch(text);
      if (patch.kind !== 'patch') return of(patch);
      return from(deps.isFolder(folder)).pipe(
        concatMap((isThere): Observable<Plan | PatchFailure> => {
          if (!isThere) return of({ kind: 'missingFolder', folder });
          return from(deps.recover()).pipe(
            concatMap(() => readView(deps)(patch, folder)),
            concatMap((view) => inTurns(deps.starts, () => planPatch(patch, view))),
          );
        }),
      );
    });

/** A patch with more files could not be applied all or nothing: the folder of each is held open. */
const MAX_SECTIONS = 500;

/** Reads the text of a patch; time and memory grow only with its length. A failure names the fault and its line. Source: Codex 0.28.0, CORE 6.6. */
export const parsePatch = (text: string): Patch | GrammarFailure => {
  const all = linesOfPatch(text);
  if ('kind' in all) return all;
  const sections: Section[] = [];
  for (let at = 0; at < all.lines.length; ) {
    const parsed = parseSection(all, at);
    if ('kind' in parsed) return parsed;
    if (sections.length === MAX_SECTIONS) return tooMany(parsed.section.line);
    sections.push(parsed.section);
    at = parsed.next;
  }
  return { kind: 'patch', sections };
};

const tooMany = (line: number): GrammarFailure => ({
  kind: 'invalidHunk',
  line,
  message: `A patch may change ${MAX_SECTIONS} files; send the rest as another patch`,
});

type ViewDeps = {
  /** What is at an absolute path; a file of more than `maxBytes` is unreadable. */
  look: (path: string, maxBytes: number) => Promise<Seen>;
};

/** The limit for all files of a patch together: old and new contents are in memory. */
const MAX_BYTES = 134_217_728;

/**
 * What is at every path that a patch names, by the path as written. Relative paths begin at `folder`; `..` and links in them mean what
 * they mean to the system.
 * Emits once and completes; errors only if `look` does.
 */
export const readView =
  ({ look }: ViewDeps) =>
  (patch: Patch, folder: string): Observable<View> =>
    from(pathsOf(patch)).pipe(
      mergeScan((view: View, path) => addPlace(look, view, { path, absolute: toAbsolute(folder, path) }), new Map(), 1),
      defaultIfEmpty<View, View>(new Map()),
      last(),
    );

const pathsOf = ({ sections }: Patch): Set<string> =>
  new Set(
    sections.flatMap((section) =>
      section.kind === 'update' && section.moveTo !== undefined ? [section.path, section.moveTo] : [section.path],
    ),
  );

/** Not normalised: `d/../f` is not `f` if d is a link. */
const toAbsolute = (folder: string, path: string): string =>
  isAbsolute(path) ? path : `${folder.endsWith(sep) ? folder : folder + sep}${path}`;

const addPlace = (
  look: ViewDeps['look'],
  view: View,
  { path, absolute }: { path: string; absolute: string },
): Observable<View> =>
  from(look(absolute, MAX_BYTES - bytesIn(view))).pipe(map((seen) => new Map(view).set(path, { ...seen, absolute })));

const bytesIn = (view: View): number =>
  [...view.values()].reduce((sum, seen) => sum + (seen.kind === 'file' ? seen.file.bytes.length : 0), 0);

/**
 * The net change of every file, or why the patch cannot be applied. Pure: sections are applied one after another in memory, so a file may be added and
 * then updated; nothing is written. Pauses in large files.
 * @param view the files at the paths that the patch names
 * Source: Codex 0.28.0, CORE 6.6; there each section was written at once, and those before a failing one stayed.
 */
export function* planPatch({ sections }: Patch, view: View): Pausing<Plan | PatchFailure> {
  if (sections.length === 0) return { kind: 'empty' };
  const reports: Report[] = [];
  const obstacles: string[] = [];
  let world = noWorld(view);
  for (const section of sections) {
    const result = yield* planSection(world, section);
    if ('kind' in result) return result;
    world = result.world;
    reports.push(result.report);
    if (result.obstacle !== undefined) obstacles.push(result.obstacle);
  }
  const [obstacle] = obstacles;
  return {
    kind: 'plan',
    files: netChanges(world),
    summary: summaryOf(reports),
    ...(obstacle !== undefined && { obstacle }),
  };
}

const netChanges = (world: World): FilePlan[] => {
  const found = filesFound(world.seen);
  return [...world.now].flatMap(([real, after]): FilePlan[] => {
    const name = world.names.get(real) ?? { path: real, absolute: real };
    const plan: FilePlan = { ...name, real, ...(found.get(real) ?? NOTHING), after };
    const movedTo = plan.before && !after ? world.moves.get(real) : undefined;
    if (movedTo !== undefined && world.now.get(movedTo)) return [{ ...plan, movedTo }];
    return isChange(plan) ? [plan] : [];
  });
};

type Found = Pick<FilePlan, 'found' | 'before'>;

const NOTHING: Found = { found: 'nothing', before: undefined };

/** Files by real path, and by the name itself if that is a link. */
const filesFound = (view: View): Map<string, Found> => {
  const files = [...view.values()].flatMap((seen) => (seen.kind === 'file' ? [seen] : []));
  return new Map([
    ...files.map(({ entry, file }): [string, Found] => [entry, { found: 'link', before: file }]),
    ...files.map(({ real, file }): [string, Found] => [real, { found: 'file', before: file }]),
  ]);
};

const isChange = ({ before, after }: FilePlan): boolean => before !== undefined || after !== undefined;

const ORDER = ['A', 'M', 'D'];

/** Source: Codex 0.28.0: grouped by letter, within a group in the order of the patch. */
const summaryOf = (reports: readonly Report[]): string =>
  [
    'Success. Updated the following files:',
    ...ORDER.flatMap((letter) => reports.filter((report) => report.letter === letter)).map(
      ({ letter, path }) => `${letter} ${path}`,
    ),
    '',
  ].join('\n');
