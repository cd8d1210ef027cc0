/** Works out what a patch does, without applying it. */
import type { Patch } from './grammar/patch';
import type { FilePlan, PatchFailure, Plan } from './plan';
import { planSection, type Report } from './planSection';
import type { View } from './seen';
import { noWorld, type World } from './world';

/**
 * The net change of every file, or why the patch cannot be applied. Pure: sections are applied one after another in memory, so a file may be added and
 * then updated; nothing is written.
 * @param view what was found at each path that the patch names
 * Source: Codex 0.28.0, CORE 6.6; there each section was written at once, and those before a failing one stayed.
 */
export const planPatch = ({ sections }: Patch, view: View): Plan | PatchFailure => {
  if (sections.length === 0) return { kind: 'empty' };
  const reports: Report[] = [];
  const obstacles: string[] = [];
  let world = noWorld(view);
  for (const section of sections) {
    const result = planSection(world, section);
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
};

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

/** Files by real path, and by the name itself where that is a link. */
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
