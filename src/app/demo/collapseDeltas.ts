/** Owns showing a run of deltas as one marble. */
import { concatMap, endWith, type MonoTypeOperatorFunction, scan } from 'rxjs';
import type { Mark } from './mark';
import { quoted } from './text';

type State = { held?: Mark; out: Mark[] };

/**
 * Deltas of one kind that follow each other become one mark with their whole text; all else passes at once.
 *   in  a-ddd-b|    (d deltas)
 *   out a-----(Db|) (D the run, told when it is over)
 */
export const collapseDeltas = (): MonoTypeOperatorFunction<Mark> => (mark$) =>
  mark$.pipe(
    endWith(null),
    scan<Mark | null, State>(step, { out: [] }),
    concatMap(({ out }) => out),
  );

const step = ({ held }: State, mark: Mark | null): State => {
  if (held && mark?.delta !== undefined && mark.name === held.name) return { held: join(held, mark), out: [] };
  const before = held ? [{ ...held, text: quoted(held.delta) }] : [];
  if (mark === null) return { out: before };
  return mark.delta === undefined ? { out: [...before, mark] } : { held: mark, out: before };
};

const join = (run: Mark, mark: Mark): Mark => ({
  ...run,
  untilMs: mark.untilMs,
  count: run.count + mark.count,
  delta: `${run.delta}${mark.delta}`,
});
