/** Owns playing step by step: a line of the server leaves when somebody looking on says so. */
import {
  concatMap,
  defer,
  endWith,
  type MonoTypeOperatorFunction,
  map,
  merge,
  type Observable,
  scan,
  takeWhile,
} from 'rxjs';
import { parseLine, serverLabelOf } from '../session';
import type { PlaybackEvent } from './playbackEvent';

type Line = Extract<PlaybackEvent, { kind: 'line' }>;
type Cue =
  | { kind: 'played'; played: PlaybackEvent }
  | { kind: 'step'; count: number }
  | { kind: 'open' }
  | { kind: 'over' };

/** `held` lines wait and change in place, `credit` may leave as they come; `told` was the next. `out` is what leaves now. */
type Stepping = { held: Line[]; credit: number; told?: Line; phase: 'playing' | 'over'; out: PlaybackEvent[] };

/**
 * Holds each line until a step lets it go; a step that comes first lets the next line through. Which line is the next to
 * go is told as `next`; all that is no line passes. When the steps end, everything passes. Completes after the source
 * when nothing is held; errors with either.
 * @param step$ how many lines may go
 *   in    a--b--c|
 *   step  --1---2--|
 *   out   n-a(n)b-c|    (n next)
 */
export const releaseBySteps =
  (step$: Observable<number>): MonoTypeOperatorFunction<PlaybackEvent> =>
  (played$) =>
    defer(() =>
      merge(
        step$.pipe(
          map((count): Cue => ({ kind: 'step', count })),
          endWith<Cue>({ kind: 'open' }),
        ),
        played$.pipe(
          map((played): Cue => ({ kind: 'played', played })),
          endWith<Cue>({ kind: 'over' }),
        ),
      ).pipe(
        scan<Cue, Stepping>(goOn, { held: [], credit: 0, phase: 'playing', out: [] }),
        takeWhile(({ phase, held }) => phase === 'playing' || held.length > 0, true),
        concatMap(({ out }) => out),
      ),
    );

const goOn = (before: Stepping, cue: Cue): Stepping => {
  switch (cue.kind) {
    case 'played':
      if (cue.played.kind !== 'line') return { ...before, out: [cue.played] };
      before.held.push(cue.played);
      return release(before);
    case 'step':
      return release({ ...before, credit: before.credit + cue.count });
    case 'open':
      return release({ ...before, credit: Number.POSITIVE_INFINITY });
    case 'over':
      return release({ ...before, phase: 'over' });
  }
};

/** Lets go what may go; tells the next line when it is another than before. */
const release = ({ held, credit, told, phase }: Stepping): Stepping => {
  const out: PlaybackEvent[] = held.splice(0, credit);
  const [next] = held;
  const isNews = next !== undefined && next !== told;
  return { held, credit: credit - out.length, told: next, phase, out: isNews ? [...out, toNext(next)] : out };
};

const toNext = ({ line }: Line): PlaybackEvent => ({
  kind: 'next',
  text: `next: ${serverLabelOf(parseLine(line).messages[0])}`,
});
