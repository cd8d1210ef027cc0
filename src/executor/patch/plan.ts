/** The effect of a patch, before anything is written, and how events and questions show it. */
import type { FileChange, FileChanges } from '../../protocol/codex/eventMsg';
import type { FileChange as NetChange } from '../files';
import { showText } from './encoding';
import type { GrammarFailure } from './grammar/patch';
import type { MatchFailure } from './matching/placeChunks';
import type { FileState } from './seen';
import { unifiedDiffs } from './unifiedDiff';

/** The net change of one file. An undefined content means that there is no file. */
export type FilePlan = Omit<NetChange, 'before' | 'after'> & Record<'before' | 'after', FileState | undefined>;

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

/** Source: Codex 0.28.0, CORE 5.9. */
const CONTEXT = 1;

/**
 * The net change of every file by its absolute path as the patch names it, or by its real path if one name is both a link and the file it leads to:
 * a person approves the content that is written. A moved file is listed under its old path; if it replaces another file, that one is shown as deleted.
 * Source: Codex 0.28.0, tapes `patch-*`; there the last section for a path hid the earlier ones, and a file that was overwritten
 * looked like a new one.
 */
export const toFileChanges = ({ files }: Plan): FileChanges => {
  const byReal = new Map(files.map((file) => [file.real, file]));
  const toUpdate = updates();
  const isShared = ({ absolute }: FilePlan) => files.filter((file) => file.absolute === absolute).length > 1;
  const targets = new Set(files.flatMap(({ movedTo }) => (movedTo === undefined ? [] : [movedTo])));
  return Object.fromEntries(
    files.flatMap((file) => {
      const target = byReal.get(file.movedTo ?? '');
      const change = target ? toUpdate(file, target) : targets.has(file.real) ? toReplaced(file) : toUpdate(file, file);
      return change ? [[isShared(file) ? file.real : file.absolute, change]] : [];
    }),
  );
};

/** How the contents of files became the contents of other files, or changed. */
const updates = () => {
  const diff = unifiedDiffs({ context: CONTEXT });
  return (file: FilePlan, target: FilePlan): FileChange => {
    const { before } = file;
    const { after } = target;
    if (before === undefined) return { add: { content: showText(after?.bytes) } };
    if (after === undefined) return { delete: { content: showText(before.bytes) } };
    const unified_diff = diff(before.bytes, after.bytes);
    return { update: { unified_diff, move_path: target === file ? null : target.absolute } };
  };
};

/** A file that another one was moved over. */
const toReplaced = ({ before }: FilePlan): FileChange | undefined =>
  before && { delete: { content: showText(before.bytes) } };
