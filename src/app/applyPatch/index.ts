export { type PatchHere, type PatchHereDeps, patchHere } from './patchHere';
export { type ProgramResult, runApplyPatch } from './runApplyPatch';
