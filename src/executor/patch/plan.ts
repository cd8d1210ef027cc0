/** The effect of a patch, before anything is written. */
import type { GrammarFailure } from './grammar/patch';
import type { MatchFailure } from './matching/placeChunks';
import type { FileState } from './seen';

/**
 * The net change of one file. `path`: as the patch first named it; `real`: with links resolved, except for the last name if the link itself is what
 * changes: `found` is then a link, and `before` the content of the file that it leads to. `undefined` means that there is no file.
 * `movedTo`: the real path of the file that has its content now.
 */
export type FilePlan = {
  path: string;
  absolute: string;
  real: string;
  found: 'file' | 'link' | 'nothing';
  before: FileState | undefined;
  after: FileState | undefined;
  movedTo?: string;
};

/**
 * `files`: all files that change, in the order in which the patch names them. `summary`: what the patch reports when it is applied.
 * `obstacle`: why applying it would fail, if that is known already.
 */
export type Plan = { kind: 'plan'; files: readonly FilePlan[]; summary: string; obstacle?: string };

/** A file that could not be read, for what purpose, and the system's error text. */
export type ReadFailure = { kind: 'unreadable'; purpose: 'update' | 'delete'; reason: string };

/** Why a patch cannot be applied; `path` as written, `absolute` joined to the folder. */
export type FileFailure = (ReadFailure | MatchFailure) & { path: string; absolute: string };

/** `missingFolder`: the folder to which the paths of the patch are relative is not a folder. */
export type PatchFailure = GrammarFailure | FileFailure | { kind: 'empty' } | { kind: 'missingFolder'; folder: string };
