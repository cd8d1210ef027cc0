/** Brings a recorded session up to date with a server: only the lines that differ change, so that a diff of the tape shows what differs. */
import { compare, EXIT_LABEL, type LaneResult } from '../diff/compare';
import type { Entry, NumberedEntry, Session } from '../format/tape';
import { withLength } from '../format/tapeLines';
import type { Masks } from '../matching/mask';
import { toSessionIndex } from '../session/toSessionIndex';
import type { VerifiedSession } from './verifySession';

/** By the number of a line on the tape: the entries in its place. */
type Edits = ReadonlyMap<number, readonly Entry[]>;

/** The lines that change. If a value of such a line is also in other lines, the session is replaced as a whole. */
export const toEdits = (recorded: Session, { now, results }: VerifiedSession, masks: Masks): Edits => {
  const edits = new Map<number, readonly Entry[]>();
  const lines = { own: byLine(recorded), now: byLine(now) };
  for (const result of results.filter(({ difference }) => difference)) {
    if (result.label === EXIT_LABEL) addExit(edits, lines);
    else addEdits(edits, lines, result);
  }
  if (edits.size === 0) return edits;
  const updated = compare(toSessionIndex(withEdits(recorded, edits)), toSessionIndex(now), masks);
  return updated.every(({ difference }) => difference === undefined) ? edits : wholeEdits(recorded, now);
};

type ByLine = ReadonlyMap<number, Entry>;
type Lines = { own: ByLine; now: ByLine };

const byLine = ({ entries }: Session): ByLine => new Map(entries.map(({ lineNumber, entry }) => [lineNumber, entry]));

const addEdits = (edits: Map<number, readonly Entry[]>, lines: Lines, result: LaneResult): void => {
  const { recorded, now, lineNumber } = result;
  const anchor = recorded.at(-1)?.lineNumber ?? (lines.own.has(lineNumber) ? lineNumber : lastOf(lines.own));
  for (let at = 0; at < Math.max(recorded.length, now.length); at++) {
    const [before, after] = [recorded[at], now[at]];
    if (before?.text === after?.text) continue;
    const entry = after && lines.now.get(after.lineNumber);
    if (before === undefined) addBehind(edits, lines.own, { anchor, entry });
    else edits.set(before.lineNumber, entry ? [inPlaceOf(lines.own.get(before.lineNumber), entry)] : []);
  }
};

const lastOf = (lines: ByLine): number => [...lines].findLast(([, { dir }]) => dir === 'in' || dir === 'out')?.[0] ?? 0;

const addExit = (edits: Map<number, readonly Entry[]>, { own, now }: Lines): void => {
  const [[lineNumber, before] = [], [, after] = []] = [own, now].map((lines) =>
    [...lines].findLast(([, { dir }]) => dir === 'exit'),
  );
  if (lineNumber !== undefined && after !== undefined) edits.set(lineNumber, [inPlaceOf(before, after)]);
};

/** What came keeps the time of what it replaces. */
const inPlaceOf = (before: Entry | undefined, { line, status, head, end }: Entry): Entry => {
  const { bytes, status: _, ...kept } = before ?? { t: 0, dir: 'out', line };
  return withLength({
    ...kept,
    line,
    ...(head !== undefined && { head, end }),
    ...(status !== undefined && { status }),
  });
};

const addBehind = (
  edits: Map<number, readonly Entry[]>,
  own: ByLine,
  { anchor, entry }: { anchor: number; entry: Entry | undefined },
): void => {
  const before = own.get(anchor);
  if (entry === undefined || before === undefined) return;
  edits.set(anchor, [...(edits.get(anchor) ?? [before]), { ...entry, t: before.t }]);
};

const withEdits = ({ meta, entries }: Session, edits: Edits): Session => ({
  meta,
  entries: entries.flatMap((one): NumberedEntry[] =>
    (edits.get(one.lineNumber) ?? [one.entry]).map((entry) => ({ lineNumber: one.lineNumber, entry })),
  ),
});

const wholeEdits = ({ entries }: Session, now: Session): Edits =>
  new Map(entries.map(({ lineNumber }, at) => [lineNumber, at === 0 ? now.entries.map(({ entry }) => entry) : []]));
