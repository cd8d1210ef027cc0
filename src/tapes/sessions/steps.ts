/** Plays step by step: a line is sent when the person who watches asks for it. */
import { createReadStream, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { isatty, ReadStream } from 'node:tty';
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
import { fromReadable } from '../../io/stdio/fromInput';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import { noBackpressure } from '../../streams/backpressure';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { splitLines } from '../../streams/bytes/splitLines';
import type { Reduced } from '../../streams/gather';
import { fileReasonOf } from '../../streams/text/reasons';
import { TapeError } from '../format/tape';
import type { PlaybackEvent, PlayedLine } from '../replayServer/playbackSession';
import { serverLabelOf } from '../session/pairingKey';

type Input =
  | { kind: 'event'; event: PlaybackEvent }
  /** So many more lines may be sent. */
  | { kind: 'steps'; count: number }
  /** All lines may be sent. */
  | { kind: 'stepsEnded' }
  | { kind: 'sourceEnded' };

type Stepping = {
  phase: 'playing' | 'ending';
  /** Lines that wait for a step. */
  buffered: readonly PlayedLine[];
  /** How many lines may be sent as they come. */
  credit: number;
  /** The line that the latest `next` remark named. */
  announced?: PlayedLine;
};
type Released = Reduced<Stepping, PlaybackEvent>;

const INITIAL: Stepping = { phase: 'playing', buffered: [], credit: 0 };

/**
 * Buffers each line until a step releases it; a step that comes first lets the next line through. Emits `next` when another
 * line becomes the next; remarks pass at once. When the steps end, everything passes. Completes after the source once no
 * line is buffered; errors with either.
 * @param step$ how many more lines may be sent
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

/** Releases as many lines as the credit allows, and announces the next line if it changed. */
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

/** Opens the source of the steps of a replay: the terminal of this process, or a descriptor. */
const TERMINAL = '/dev/tty';

/**
 * Opens the source of the steps, the terminal of this process or a descriptor. Emits for each line that is read how many lines may be sent: the number
 * in it, all for `all`, else one. Completes with its source. Errors with TapeError if there is none.
 * @param fd undefined for the terminal, whose Enter is a step
 */
export const openSteps = (fd: number | undefined): Observable<number> =>
  defer(() => fromReadable<Uint8Array>(openFd(fd), noBackpressure)).pipe(decodeUtf8(), splitLines(), map(toCount));

const toCount = (line: string): number => {
  if (line.trim() === 'all') return Number.POSITIVE_INFINITY;
  const count = Number(line);
  return Number.isInteger(count) && count > 0 ? count : 1;
};

/** A pending read of a file stream would keep the process from ending, so only a plain file is read as one. */
const openFd = (given: number | undefined): Readable => {
  try {
    const fd = given ?? openSync(TERMINAL, 'r');
    if (isatty(fd)) return new ReadStream(fd);
    return fstatSync(fd).isFile() ? createReadStream('', { fd }) : new Socket({ fd, readable: true, writable: false });
  } catch (error) {
    if (given === undefined) throw new TapeError('There is no terminal to step with; --step-fd N steps by lines');
    throw new TapeError(`--step-fd ${given} cannot be read: ${fileReasonOf(error)}`);
  }
};
