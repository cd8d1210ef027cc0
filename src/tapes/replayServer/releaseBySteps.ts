/** Plays step by step: a line leaves when the person who watches asks for it. */
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
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import type { Reduced } from '../../streams/gather';
import { serverLabelOf } from '../session/pairingKey';
import type { PlaybackEvent, PlayedLine } from './playbackEvent';

/** `steps` is how many more lines may leave; with the end of the steps all may. */
type Input =
  | { kind: 'event'; event: PlaybackEvent }
  | { kind: 'steps'; count: number }
  | { kind: 'stepsEnded' }
  | { kind: 'sourceEnded' };

/** `buffered` lines wait; `credit` lines may leave as they come; `announced` is the latest that a remark named as the next. */
type Stepping = {
  phase: 'playing' | 'ending';
  buffered: readonly PlayedLine[];
  credit: number;
  announced?: PlayedLine;
};
type Released = Reduced<Stepping, PlaybackEvent>;

const INITIAL: Stepping = { phase: 'playing', buffered: [], credit: 0 };

/**
 * Buffers each line until a step releases it; a step that comes first lets the next line through. Emits `next` when another
 * line becomes the next; remarks pass at once. When the steps end, everything passes. Completes after the source once no
 * line is buffered; errors with either.
 * @param step$ how many lines may leave
 *   in    a--b---c|
 *   step  --1--2--|
 *   out   n-an-b-c|    (n next)
 */
export const releaseBySteps =
  (step$: Observable<number>): MonoTypeOperatorFunction<PlaybackEvent> =>
  (event$) =>
    defer(() =>
      merge(
        step$.pipe(
          map((count): Input => ({ kind: 'steps', count })),
          endWith<Input>({ kind: 'stepsEnded' }),
        ),
        event$.pipe(
          map((event): Input => ({ kind: 'event', event })),
          endWith<Input>({ kind: 'sourceEnded' }),
        ),
      ).pipe(
        scan<Input, Released>(({ state }, input) => reduce(state, input), { state: INITIAL, output: [] }),
        takeWhile(({ state }) => state.phase === 'playing' || state.buffered.length > 0, true),
        concatMap(({ output }) => output),
      ),
    );

const reduce = (state: Stepping, input: Input): Released => {
  switch (input.kind) {
    case 'event':
      if (input.event.kind !== 'line') return { state, output: [input.event] };
      return release({ ...state, buffered: [...state.buffered, input.event] });
    case 'steps':
      return release({ ...state, credit: state.credit + input.count });
    case 'stepsEnded':
      return release({ ...state, credit: Number.POSITIVE_INFINITY });
    case 'sourceEnded':
      return release({ ...state, phase: 'ending' });
  }
};

/** Releases what may leave, and announces the next line when it is another than before. */
const release = (state: Stepping): Released => {
  const output = state.buffered.slice(0, state.credit);
  const buffered = state.buffered.slice(output.length);
  const [next] = buffered;
  return {
    state: { ...state, buffered, credit: state.credit - output.length, announced: next },
    output: next !== undefined && next !== state.announced ? [...output, toNext(next)] : output,
  };
};

const toNext = ({ line }: PlayedLine): PlaybackEvent => ({
  kind: 'next',
  text: `next: ${serverLabelOf(parseLine(line).messages[0])}`,
});
