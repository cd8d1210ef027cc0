/** What the patches of one turn have changed, all together. */
import type { FilePlan, Plan } from '../planning/plan';
import type { FileState } from '../planning/seen';

/** A file as the turn found it and as it is now; undefined is a file that is not there. `movedTo`: where its content is now. */
export type TurnChange = { first: FileState | undefined; now: FileState | undefined; movedTo?: string };

/** By absolute path without links. */
export type TurnChanges = ReadonlyMap<string, TurnChange>;

/** The changes of a turn that has changed nothing. */
export const noTurnChanges: TurnChanges = new Map();

/** The changes of a turn with those of one more patch, after it was applied. */
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

/** A file that moved earlier in the turn and moves on has moved from its first place. */
const followMoves = (changes: TurnChanges, files: readonly FilePlan[]): TurnChanges => {
  const next = new Map(files.flatMap(({ real, movedTo }) => (movedTo === undefined ? [] : [[real, movedTo]])));
  return new Map(
    [...changes].map(([path, change]) => {
      const movedTo = next.get(change.movedTo ?? '');
      return [path, movedTo === undefined ? change : { ...change, movedTo }];
    }),
  );
};
