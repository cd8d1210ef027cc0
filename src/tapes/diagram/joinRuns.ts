/** Joins looks of one run that follow each other, such as deltas of one call, into one marble. */
import type { Drawn } from './chart';

/** What one marble stands for: `count` entries from that of `first` on, until `untilMs`. Times never go back. */
export type Run = { first: Drawn; atMs: number; untilMs: number; count: number; thread?: number };

/** The runs in their order; `runOf` is the run of each look. */
export const joinRuns = (drawn: readonly Drawn[]): { runs: Run[]; runOf: number[] } => {
  const runs: Run[] = [];
  const runOf = drawn.map((one) => {
    const last = runs.at(-1);
    const atMs = Math.max(last?.untilMs ?? 0, one.t);
    if (last && goesOn(last, one)) {
      runs[runs.length - 1] = { ...last, untilMs: atMs, count: last.count + 1, thread: last.thread ?? one.thread };
    } else runs.push({ first: one, atMs, untilMs: atMs, count: 1, thread: one.thread });
    return runs.length - 1;
  });
  return { runs, runOf };
};

/** A message of a batch is a marble of its own. An entry between that is not drawn ends a run, whose entries are counted from its first. */
const goesOn = ({ first, count }: Run, { look, part, entry }: Drawn): boolean =>
  look.run !== undefined &&
  entry === first.entry + count &&
  part === undefined &&
  first.part === undefined &&
  first.look.group === look.group &&
  first.look.run === look.run;
