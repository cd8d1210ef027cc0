/** Finds where the chunks of an update belong in a file. */
import type { Pausing } from '../../../streams/pausing';
import type { Chunk, ChunkLine } from '../grammar/patch';
import { trim, trimEnd } from '../grammar/whiteSpace';

/** A chunk, placed: its context and removed lines are `at`, `at + 1`, …. `end`: they go to the very end, whatever others put there. */
export type Placement = { at: number | 'end'; lines: readonly ChunkLine[]; chunk: Chunk };

/** The part of a chunk that was not found, or that the search for it was given up. */
export type MatchFailure =
  | { kind: 'missingContext'; context: string; line: number }
  | { kind: 'missingLines'; lines: readonly string[]; line: number }
  | { kind: 'exhausted'; line: number };

/**
 * The places of all chunks. Each chunk is searched after the previous one; its contexts move the cursor forward first.
 * Added lines without any lines around them go after the last context, or to the end if there is none.
 * Source: Codex 0.28.0, CORE 6.6; there such lines always went to the end.
 */
export function* placeChunks(
  fileLines: readonly string[],
  chunks: readonly Chunk[],
): Pausing<Placement[] | MatchFailure> {
  const search = searchLines(fileLines);
  const placements: Placement[] = [];
  let cursor = 0;
  for (const chunk of chunks) {
    const start = yield* afterContexts(search, chunk, cursor);
    if (typeof start !== 'number') return start;
    const placed = yield* placeLines(search, chunk, start);
    if ('kind' in placed) return placed;
    placements.push(placed);
    cursor = placed.at === 'end' ? start : placed.at + oldLines(placed.lines).length;
  }
  return placements;
}

function* afterContexts(search: Search, { contexts, line }: Chunk, cursor: number): Pausing<number | MatchFailure> {
  let from = cursor;
  for (const context of contexts) {
    const found = yield* search([context], { from, anchor: 'anywhere' });
    if (found === 'exhausted') return { kind: 'exhausted', line };
    if (found === 'missing') return { kind: 'missingContext', context, line };
    from = found + 1;
  }
  return from;
}

function* placeLines(search: Search, chunk: Chunk, from: number): Pausing<Placement | MatchFailure> {
  const { lines, anchor, contexts, line } = chunk;
  const block = oldLines(lines);
  if (block.length === 0) return { at: contexts.length > 0 && anchor === 'anywhere' ? from : 'end', lines, chunk };
  const found = yield* search(block, { from, anchor });
  if (typeof found === 'number') return { at: found, lines, chunk };
  const shorter = block.at(-1) === '' ? withoutLastEmpty(lines) : undefined;
  const again: Found = shorter && found === 'missing' ? yield* search(oldLines(shorter), { from, anchor }) : found;
  if (shorter && typeof again === 'number') return { at: again, lines: shorter, chunk };
  return again === 'exhausted' ? { kind: 'exhausted', line } : { kind: 'missingLines', lines: block, line };
}

/** The lines that a chunk expects in the file. */
export const oldLines = (lines: readonly ChunkLine[]): string[] =>
  lines.filter(({ kind }) => kind !== 'added').map(({ text }) => text);

/** The last empty line may mean the end of the file: it need not be found, and is dropped from both texts. */
const withoutLastEmpty = (lines: readonly ChunkLine[]): ChunkLine[] => {
  const lastNew = lines.findLastIndex(({ kind }) => kind !== 'removed');
  const lastOld = lines.findLastIndex(({ kind }) => kind !== 'added');
  const isNewEmpty = lines[lastNew]?.text === '';
  return lines.flatMap((line, index): ChunkLine[] => {
    const isOld = line.kind !== 'added' && index !== lastOld;
    const isNew = line.kind !== 'removed' && !(isNewEmpty && index === lastNew);
    if (isOld && isNew) return [line];
    if (isOld) return [{ kind: 'removed', text: line.text }];
    return isNew ? [{ kind: 'added', text: line.text }] : [];
  });
};

/** Punctuation that models type in ASCII if a file has the typographic form. */
const DASHES = /[\u2010-\u2015\u2212]/g;
const SINGLE_QUOTES = /[\u2018-\u201b]/g;
const DOUBLE_QUOTES = /[\u201c-\u201f]/g;
const SPACES = /[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g;

/** A line without blanks at its ends, its dashes, quotes and spaces in ASCII. Source: Codex 0.28.0, CORE 6.6. */
export const normalise = (line: string): string =>
  trim(line).replace(DASHES, '-').replace(SINGLE_QUOTES, "'").replace(DOUBLE_QUOTES, '"').replace(SPACES, ' ');

/** Where a block may begin: anywhere from a line on, or only where it reaches the end of the file. */
type SearchRange = { from: number; anchor: 'anywhere' | 'endOfFile' };

/** `exhausted`: the file and the patch are alike in so many places that the search was given up. */
type Found = number | 'missing' | 'exhausted';

type Search = (block: readonly string[], range: SearchRange) => Pausing<Found>;

/** How lines are compared, from strict to lenient. Each is tried on the whole range before the next. */
const FORMS: readonly ((line: string) => string)[] = [(line) => line, trimEnd, trim, normalise];

/** The limit of comparisons that all searches in one file may cost together: a fraction of a second. Longer lines count more. */
const MAX_COST = 20_000_000;
const LENGTH_SHIFT = 4;

/** A step of a search: what it costs before it pauses. */
const STEP_COST = 50_000;
/** A step that brings lines into a form. */
const STEP_LINES = 10_000;

/**
 * A search over the lines of one file. It finds the line at which a block begins, by the strictest form that matches anywhere in the range.
 * It pauses often. All searches share one budget, so that a hostile patch cannot keep the process busy.
 * Source: Codex 0.28.0, CORE 6.6.
 */
export const searchLines = (lines: readonly string[]): Search => {
  const made = [lines]; // in the forms that were needed so far
  let budget = MAX_COST;
  return function* (block, { from, anchor }) {
    const last = lines.length - block.length;
    if (last < 0) return 'missing';
    for (const [at, form] of FORMS.entries()) {
      const all = made[at] ?? (yield* inForm(lines, form));
      made[at] = all;
      const formed = block.map(form);
      let step: Step = { next: anchor === 'endOfFile' ? last : from, cost: 0 };
      while (step.next <= last && step.at === undefined) {
        step = firstMatch(all, formed, { first: step.next, last, budget });
        budget -= step.cost;
        if (budget < 0) return 'exhausted';
        yield;
      }
      if (step.at !== undefined) return step.at;
    }
    return 'missing';
  };
};

function* inForm(lines: readonly string[], form: (line: string) => string): Pausing<readonly string[]> {
  const all: string[] = [];
  for (const [at, line] of lines.entries()) {
    all.push(form(line));
    if (at % STEP_LINES === 0) yield;
  }
  return all;
}

type Bounds = { first: number; last: number; budget: number };

/** `at` is the line at which the block was found; without it, the search goes on from `next`. */
type Step = { next: number; at?: number; cost: number };

const firstMatch = (lines: readonly string[], block: readonly string[], { first, last, budget }: Bounds): Step => {
  let cost = 0;
  let at = first;
  for (; at <= last && cost <= Math.min(budget, STEP_COST); at += 1) {
    let same = 0;
    while (same < block.length && lines[at + same] === block[same]) {
      cost += 1 + ((block[same]?.length ?? 0) >> LENGTH_SHIFT);
      same += 1;
    }
    if (same === block.length) return { next: at, at, cost };
    cost += 1;
  }
  return { next: at, cost };
};
