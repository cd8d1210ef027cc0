/** What a patch comes to, before anything is written. */
import type { GrammarFailure } from '../grammar/patch';
import type { MatchFailure } from '../matching/placeChunks';
import type { FileState } from './seen';

/**
 * The net change of one file. `path`: as the patch first named it; `real`: without links, but for the last name where that is what
 * changes: `found` is then a link, and `before` the content of the file it leads to. `undefined` is a file that is not there.
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
 * `files`: in the order the patch names them, all that change. `summary`: what the patch reports when it is applied.
 * `obstacle`: why applying it would fail, if that is known already.
 */
export type Plan = { kind: 'plan'; files: readonly FilePlan[]; summary: string; obstacle?: string };

/** A file that could not be read, for what, and the error text of the system. */
export type ReadFailure = { kind: 'unreadable'; purpose: 'update' | 'delete'; reason: string };

/** Why a patch cannot be applied; `path` as written, `absolute` joined to the folder. */
export type FileFailure = (ReadFailure | MatchFailure) & { path: string; absolute: string };

/** `missingFolder`: what the paths of the patch are relative to is not a folder. */
export type PatchFailure = GrammarFailure | FileFailure | { kind: 'empty' } | { kind: 'missingFolder'; folder: string };
