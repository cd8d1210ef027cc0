/** Shows a run of deltas as one marble. */
import { concatMap, endWith, type MonoTypeOperatorFunction, scan } from 'rxjs';
import type { Mark } from './mark';
import { quoted } from './text';

/** `run` is the run of deltas that grows. */
type State = { run?: Mark; output: Mark[] };

/**
 * Deltas of one kind that follow each other become one mark with their whole text; all else passes at once.
 *   in  a-ddd-b---|    (d deltas)
 *   out a-----(Db)|    (D the run, emitted when it has ended)
 */
export const collapseDeltas = (): MonoTypeOperatorFunction<Mark> => (mark$) =>
  mark$.pipe(
    endWith(null),
    scan<Mark | null, State>(step, { output: [] }),
    concatMap(({ output }) => output),
  );

const step = ({ run }: State, mark: Mark | null): State => {
  if (run && mark?.delta !== undefined && mark.name === run.name) return { run: join(run, mark), output: [] };
  const ended = run ? [{ ...run, text: quoted(run.delta) }] : [];
  if (mark === null) return { output: ended };
  return mark.delta === undefined ? { output: [...ended, mark] } : { run: mark, output: ended };
};

const join = (run: Mark, mark: Mark): Mark => ({
  ...run,
  untilMs: mark.untilMs,
  count: run.count + mark.count,
  delta: `${run.delta}${mark.delta}`,
});
