/** Reads one chunk of an update. */
import type { Chunk, ChunkLine, GrammarFailure } from './patch';

/** The position of a reader; `place` is `first` for the first chunk of a file, which may lack its `@@`. */
export type ChunkStart = { lines: readonly string[]; at: number; firstLine: number; place: 'first' | 'later' };

const MARKER = '@@';
const MARKER_WITH_CONTEXT = '@@ ';
const END_OF_FILE = '*** End of File';
const KINDS: Readonly<Record<string, ChunkLine['kind']>> = { ' ': 'context', '+': 'added', '-': 'removed' };

/**
 * Reads `@@ CONTEXT`, then lines up to one that cannot belong to the chunk. `next` is the first line after it.
 * Several consecutive `@@ CONTEXT` narrow the place down: each is looked for after the one before.
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
