export { type PatchHere, type PatchHereDeps, patchHere } from './patchHere';
export { readPatch } from './readPatch';
export { type ProgramResult, runApplyPatch } from './runApplyPatch';
