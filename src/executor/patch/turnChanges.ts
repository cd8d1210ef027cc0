/** What the patches of one turn have changed in total. */
import type { FilePlan, Plan } from './plan';
import type { FileState } from './seen';

/** A file at the beginning of the turn and now; undefined means that there is no file. */
export type TurnChange = {
  first: FileState | undefined;
  now: FileState | undefined;
  /** The path that has its content now. */
  movedTo?: string;
};

/** Changes by absolute path without links. */
export type TurnChanges = ReadonlyMap<string, TurnChange>;

/** The changes of a turn that has not changed anything. */
export const noTurnChanges: TurnChanges = new Map();

/** The changes of a turn after one more patch. */
export const addPlan = (changes: TurnChanges, { files }: Plan): TurnChanges =>
  files.reduce(
    (all, file) => new Map(all).set(file.real, { first: firstOf(all, file), now: file.after, ...moveOf(file) }),
    followMoves(changes, files),
  );

const firstOf = (changes: TurnChanges, { real, before }: FilePlan): FileState | undefined => {
  const known = changes.get(real);
  return known ? known.first : before;
};

const moveOf = ({ movedTo }: FilePlan) => (movedTo === undefined ? {} : { movedTo });

/** A file that has already moved in this turn and moves again has moved from its first place. */
const followMoves = (changes: TurnChanges, files: readonly FilePlan[]): TurnChanges => {
  const next = new Map(files.flatMap(({ real, movedTo }) => (movedTo === undefined ? [] : [[real, movedTo]])));
  return new Map(
    [...changes].map(([path, change]) => {
      const movedTo = next.get(change.movedTo ?? '');
      return [path, movedTo === undefined ? change : { ...change, movedTo }];
    }),
  );
};
