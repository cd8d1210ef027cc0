/** The effect of a patch, before anything is written. */
import type { GrammarFailure } from './grammar/patch';
import type { MatchFailure } from './matching/placeChunks';
import type { FileState } from './seen';

/** The net change of one file. An undefined content means that there is no file. */
export type FilePlan = {
  /** As the patch first named it. */
  path: string;
  absolute: string;
  /** The path without links, except for a last name that changes itself: then `found` is a link, and `before` what it leads to. */
  real: string;
  found: 'file' | 'link' | 'nothing';
  before: FileState | undefined;
  after: FileState | undefined;
  /** The real path of the file that has its content now. */
  movedTo?: string;
};

/** What a patch would change. */
export type Plan = {
  kind: 'plan';
  /** All files that change, in the order in which the patch names them. */
  files: readonly FilePlan[];
  /** What the patch reports when it is applied. */
  summary: string;
  /** Why applying it would fail, if that is known already. */
  obstacle?: string;
};

/** A file that could not be read, for what purpose, and the system's error text. */
export type ReadFailure = { kind: 'unreadable'; purpose: 'update' | 'delete'; reason: string };

/** Why a patch cannot be applied. */
export type FileFailure = (ReadFailure | MatchFailure) & {
  /** As written. */
  path: string;
  /** The path joined to the folder. */
  absolute: string;
};

/** `missingFolder`: the folder to which the paths of the patch are relative is not a folder. */
export type PatchFailure = GrammarFailure | FileFailure | { kind: 'empty' } | { kind: 'missingFolder'; folder: string };
