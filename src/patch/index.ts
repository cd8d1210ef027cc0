/** The door of `apply_patch`: grammar, matching, planning, applying all or nothing. */
export { type ApplyDeps, applyPatch } from './applying/applyPatch';
export type { Disk, Entry, Journals, NewFile, OpenFolder, StoredJournal } from './applying/disk';
export { failureOf } from './applying/failureOf';
export { type Journal, readJournal, toEntry } from './applying/journal';
export { recoverPatches } from './applying/recoverPatches';
export { rollBack } from './applying/rollBack';
export { settlePatch } from './applying/settlePatch';
export { isSystemError, systemText } from './applying/systemText';
export { changedFiles, type PatchOrder, type PatchOutcome, refusalOf } from './applying/transact';
export { findPatch } from './detecting/findPatch';
export { toTurnDiff } from './diffing/toTurnDiff';
export { addPlan, noTurnChanges, type TurnChanges } from './diffing/turnChanges';

export { checkPatch } from './planning/checkPatch';
export { toModelText, toProgramText } from './planning/failureText';
export type { FilePlan, PatchFailure, Plan } from './planning/plan';

export type { FileState, Seen } from './planning/seen';
export { toFileChanges } from './planning/toFileChanges';
