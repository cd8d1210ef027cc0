/** Reads what a patch does with one file. */
import type { PatchLines } from './linesOfPatch';
import type { Chunk, ChunkLine, GrammarFailure, Section } from './patch';
import { trim } from './whiteSpace';

const ADD = '*** Add File: ';
const DELETE = '*** Delete File: ';
const UPDATE = '*** Update File: ';
const MOVE = '*** Move to: ';
const VALID = `'${ADD}{path}', '${DELETE}{path}', '${UPDATE}{path}'`;

/** A section, and the line after it. */
type ParsedSection = { section: Section; next: number };

/** Reads the section that begins at a line; `next` is the first line after it. Source: Codex 0.28.0, CORE 6.6: only the header may have blanks around it. */
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

/** The position of a reader. */
type ChunkStart = {
  lines: readonly string[];
  at: number;
  firstLine: number;
  /** `first` for the first chunk of a file, which may lack its `@@`. */
  place: 'first' | 'later';
};

const MARKER = '@@';
const MARKER_WITH_CONTEXT = '@@ ';
const END_OF_FILE = '*** End of File';
const KINDS: Readonly<Record<string, ChunkLine['kind']>> = { ' ': 'context', '+': 'added', '-': 'removed' };

/**
 * Reads `@@ CONTEXT`, then lines up to the first that cannot belong to the chunk. `next` is the first line after it.
 * Several consecutive `@@ CONTEXT` narrow the place down: each is searched after the previous one.
 * Source: Codex 0.28.0, CORE 6.6; there a second `@@` was an error.
 */
export const parseChunk = (start: ChunkStart): { chunk: Chunk; next: number } | GrammarFailure => {
  const { lines, at, firstLine, place } = start;
  const contexts = contextsAt(lines, at);
  if (contexts.next === at && place === 'later') {
    return invalid(firstLine + at, `Expected update hunk to start with a @@ context marker, got: '${lines[at]}'`);
  }
  const body = bodyAt(lines, contexts.next);
  if (body.lines.length === 0) return emptyChunk(lines[contexts.next], firstLine + contexts.next);
  const { lines: chunkLines, anchor, next } = body;
  return { chunk: { contexts: contexts.found, lines: chunkLines, anchor, line: firstLine + at }, next };
};

const contextsAt = (lines: readonly string[], at: number): { found: string[]; next: number } => {
  if (lines[at] === MARKER) return { found: [], next: at + 1 };
  let next = at;
  while (lines[next]?.startsWith(MARKER_WITH_CONTEXT)) next += 1;
  return { found: lines.slice(at, next).map((line) => line.slice(MARKER_WITH_CONTEXT.length)), next };
};

const bodyAt = (
  lines: readonly string[],
  at: number,
): { lines: ChunkLine[]; anchor: Chunk['anchor']; next: number } => {
  const found: ChunkLine[] = [];
  for (let next = at; next < lines.length; next += 1) {
    const text = lines[next] ?? '';
    const line = toChunkLine(text);
    if (line !== undefined) found.push(line);
    else if (text === END_OF_FILE) return { lines: found, anchor: 'endOfFile', next: next + 1 };
    else return { lines: found, anchor: 'anywhere', next };
  }
  return { lines: found, anchor: 'anywhere', next: lines.length };
};

/** An empty line is an empty context line whose blank was lost. */
const toChunkLine = (line: string): ChunkLine | undefined => {
  if (line === '') return { kind: 'context', text: '' };
  const kind = KINDS[line[0] ?? ''];
  return kind && { kind, text: line.slice(1) };
};

const emptyChunk = (line: string | undefined, number: number): GrammarFailure =>
  line === undefined || line === END_OF_FILE
    ? invalid(number, 'Update hunk does not contain any lines')
    : invalid(
        number,
        `Unexpected line found in update hunk: '${line}'. Every line should start with ' ' (context line), '+' (added line), or '-' (removed line)`,
      );

const invalid = (line: number, message: string): GrammarFailure => ({ kind: 'invalidHunk', line, message });
