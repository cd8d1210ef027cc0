/** Reads a patch. */
import { linesOfPatch } from './linesOfPatch';
import { parseSection } from './parseSection';
import type { GrammarFailure, Patch, Section } from './patch';

/** A patch with more files could not be applied all or nothing: the folder of each is held open. */
const MAX_SECTIONS = 500;

/**
 * Reads the text of a patch; time and memory grow only with its length. A failure says what is wrong, and in which line.
 * Source: Codex 0.28.0, CORE 6.6.
 */
export const parsePatch = (text: string): Patch | GrammarFailure => {
  const all = linesOfPatch(text);
  if ('kind' in all) return all;
  const sections: Section[] = [];
  for (let at = 0; at < all.lines.length; ) {
    const parsed = parseSection(all, at);
    if ('kind' in parsed) return parsed;
    if (sections.length === MAX_SECTIONS) return tooMany(parsed.section.line);
    sections.push(parsed.section);
    at = parsed.next;
  }
  return { kind: 'patch', sections };
};

const tooMany = (line: number): GrammarFailure => ({
  kind: 'invalidHunk',
  line,
  message: `A patch may change ${MAX_SECTIONS} files; send the rest as another patch`,
});
