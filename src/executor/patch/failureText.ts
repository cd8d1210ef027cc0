/** The texts of failures. They are the same as in the original, as models have learned them, and name the line. */
import type { FileFailure, PatchFailure } from './plan';

/** What the program prints. Source: Codex 0.28.0, cases `apply_patch`. */
export const toProgramText = (failure: PatchFailure): string => {
  switch (failure.kind) {
    case 'empty':
      return 'No files were modified.';
    case 'invalidPatch':
      return `Invalid patch: ${failure.message}`;
    case 'invalidHunk':
      return `Invalid patch hunk on line ${failure.line}: ${failure.message}`;
    case 'missingFolder':
      return folderText(failure);
    case 'unreadable':
      return failure.purpose === 'delete' ? `Failed to delete file ${failure.path}` : fileText(failure, failure.path);
    default:
      return fileText(failure, failure.path);
  }
};

/** What a model reads as the output of its call. Source: Codex 0.28.0, cases `apply_patch_argv`. */
export const toModelText = (failure: PatchFailure): string => {
  switch (failure.kind) {
    case 'empty':
      return 'patch rejected: empty patch';
    case 'invalidPatch':
      return `error: invalid patch: ${failure.message}`;
    case 'invalidHunk':
      return `error: invalid hunk at line ${failure.line}, ${failure.message}`;
    case 'missingFolder':
      return `error: ${folderText(failure)}`;
    default:
      return `error: ${fileText(failure, failure.absolute)}`;
  }
};

const folderText = ({ folder }: { folder: string }): string =>
  `There is no folder ${folder} that a patch could be applied in`;

const fileText = (failure: FileFailure, path: string): string => {
  switch (failure.kind) {
    case 'unreadable':
      return `Failed to read ${failure.purpose === 'update' ? 'file to update ' : ''}${path}: ${failure.reason}`;
    case 'missingContext':
      return `Failed to find context '${failure.context}' in ${path}`;
    case 'missingLines':
      return `Failed to find expected lines [${failure.lines.map(toDebugText).join(', ')}] in ${path}`;
    case 'exhausted':
      return `Gave up looking for the chunk on line ${failure.line} of the patch in ${path}: too many lines are alike. Include lines that occur only there`;
  }
};

/** A line in quotes, as Rust's debug format writes it. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

/** Characters that are invisible by themselves, or change the one before them; a plain blank stays. */
const HIDDEN = /["\\]|(?! )[\p{C}\p{Z}\p{Grapheme_Extend}]/gu;

/** Source: Codex 0.28.0, case ap142: letters and emoji stay as they are; invisible characters are written as `\u{a0}`. */
export const toDebugText = (text: string): string =>
  `"${text.replace(HIDDEN, (character) => ESCAPES[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`)}"`;
