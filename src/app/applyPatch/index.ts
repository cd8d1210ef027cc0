/** The door of patches that change files of this machine. */
export { localJournals } from './localJournals';
export { type PatchHereDeps, patchHere } from './patchHere';
export { readPatch } from './readPatch';
export { runApplyPatch } from './runApplyPatch';
