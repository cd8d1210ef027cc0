/** Reads what a patch does with one file. */
import type { PatchLines } from './linesOfPatch';
import { parseChunk } from './parseChunk';
import type { Chunk, GrammarFailure, Section } from './patch';
import { trim } from './whiteSpace';

const ADD = '*** Add File: ';
const DELETE = '*** Delete File: ';
const UPDATE = '*** Update File: ';
const MOVE = '*** Move to: ';
const VALID = `'${ADD}{path}', '${DELETE}{path}', '${UPDATE}{path}'`;

/** A section, and the line after it. */
export type ParsedSection = { section: Section; next: number };

/**
 * Reads the section that begins at a line; `next` is the first line after it.
 * Source: Codex 0.28.0, CORE 6.6: only the header may have blanks around it.
 */
export const parseSection = (all: PatchLines, at: number): ParsedSection | GrammarFailure => {
  const header = trim(all.lines[at] ?? '');
  const line = all.firstLine + at;
  if (header.startsWith(ADD)) return addedFile(all, at, header.slice(ADD.length));
  if (header.startsWith(DELETE)) {
    return { section: { kind: 'delete', path: header.slice(DELETE.length), line }, next: at + 1 };
  }
  if (header.startsWith(UPDATE)) return updatedFile(all, at, header.slice(UPDATE.length));
  return {
    kind: 'invalidHunk',
    line,
    message: `'${header}' is not a valid hunk header. Valid hunk headers: ${VALID}`,
  };
};

const addedFile = ({ lines, firstLine }: PatchLines, at: number, path: string): ParsedSection => {
  let next = at + 1;
  while (lines[next]?.startsWith('+')) next += 1;
  const content = lines
    .slice(at + 1, next)
    .map((line) => `${line.slice(1)}\n`)
    .join('');
  return { section: { kind: 'add', path, content, line: firstLine + at }, next };
};

const updatedFile = (all: PatchLines, at: number, path: string): ParsedSection | GrammarFailure => {
  const { lines, firstLine } = all;
  const move = lines[at + 1];
  const moveTo = move?.startsWith(MOVE) ? move.slice(MOVE.length) : undefined;
  const parsed = chunksAt(all, at + (moveTo === undefined ? 1 : 2));
  if ('kind' in parsed) return parsed;
  const { chunks, next } = parsed;
  const line = firstLine + at;
  if (chunks.length === 0) {
    return { kind: 'invalidHunk', line, message: `Update file hunk for path '${path}' is empty` };
  }
  return { section: { kind: 'update', path, ...(moveTo !== undefined && { moveTo }), chunks, line }, next };
};

/** Chunks up to a line that begins with `***`; blank lines between them are skipped. */
const chunksAt = (all: PatchLines, at: number): { chunks: Chunk[]; next: number } | GrammarFailure => {
  const { lines, firstLine } = all;
  const chunks: Chunk[] = [];
  let next = at;
  while (next < lines.length && !lines[next]?.startsWith('***')) {
    if (trim(lines[next] ?? '') === '') {
      next += 1;
      continue;
    }
    const parsed = parseChunk({ lines, at: next, firstLine, place: chunks.length === 0 ? 'first' : 'later' });
    if ('kind' in parsed) return parsed;
    chunks.push(parsed.chunk);
    next = parsed.next;
  }
  return { chunks, next };
};
