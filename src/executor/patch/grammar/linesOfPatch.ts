/** The lines of a patch between its two markers. */
import type { GrammarFailure } from './patch';
import { trim } from './whiteSpace';

/** `lines[0]` is line `firstLine` of the patch. */
export type PatchLines = { lines: readonly string[]; firstLine: number };

/** A longer text, in UTF-16 units, is not read; the longest answers of models are a hundredth of that. */
const MAX_PATCH_LENGTH = 16_777_216;

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';

/** What a model leaves around its patch when it mistakes the program's argument for shell text. */
const HEREDOC_STARTS = ['<<EOF', "<<'EOF'", '<<"EOF"'];
const MIN_HEREDOC_LINES = 4;

/** Removes the markers, and a here-document around them. Source: Codex 0.28.0, CORE 6.6; blanks are allowed around the whole text only. */
export const linesOfPatch = (text: string): PatchLines | GrammarFailure => {
  if (text.length > MAX_PATCH_LENGTH) {
    return invalid(`The patch has ${text.length} characters and may have ${MAX_PATCH_LENGTH}; send it in parts`);
  }
  const lines = splitLines(trim(text));
  const inner = isHeredoc(lines) ? lines.slice(1, -1) : undefined;
  const failure = failureOf(inner ?? lines);
  return failure ?? { lines: (inner ?? lines).slice(1, -1), firstLine: 2 };
};

const isHeredoc = (lines: readonly string[]): boolean =>
  lines.length >= MIN_HEREDOC_LINES &&
  HEREDOC_STARTS.includes(lines[0] ?? '') &&
  (lines[lines.length - 1] ?? '').endsWith('EOF');

const failureOf = (lines: readonly string[]): GrammarFailure | undefined => {
  if (lines.length > 0 && lines[0] !== BEGIN) return invalid(`The first line of the patch must be '${BEGIN}'`);
  return lines[lines.length - 1] === END ? undefined : invalid(`The last line of the patch must be '${END}'`);
};

const invalid = (message: string): GrammarFailure => ({ kind: 'invalidPatch', message });

/** Only a line feed ends a line; a carriage return before it is part of the line end. */
const splitLines = (text: string): string[] =>
  text === '' ? [] : text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
