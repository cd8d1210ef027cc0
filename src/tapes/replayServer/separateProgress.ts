/** Sends progress in a chunk of its own, before the response that it belongs to. */
import { concatMap, defer, delay, type MonoTypeOperatorFunction, of, scan } from 'rxjs';
import { parseLine } from '../../protocol/jsonrpc/parseLine';
import type { PlaybackEvent } from './playbackEvent';

/**
 * How long a response waits after progress. Both official clients lose progress that they read together with its response.
 * Source: @modelcontextprotocol/sdk 1.32.2, @modelcontextprotocol/client 2.4.0.
 */
const GAP_MS = 5;

type Spacing = { event?: PlaybackEvent; afterProgress: boolean; waits: boolean };

/**
 * Delays a response that follows progress, and what comes after it; the order stays. Completes and errors with the source.
 *   in   -(pR)------|    (p progress, R a response)
 *   out  -p----R----|
 */
export const separateProgress = (): MonoTypeOperatorFunction<PlaybackEvent> => (event$) =>
  defer(() =>
    event$.pipe(
      scan<PlaybackEvent, Spacing>(space, { afterProgress: false, waits: false }),
      concatMap(({ event, waits }) => {
        if (event === undefined) return [];
        return waits ? of(event).pipe(delay(GAP_MS)) : of(event);
      }),
    ),
  );

const space = ({ afterProgress }: Spacing, event: PlaybackEvent): Spacing => {
  if (event.kind !== 'line') return { event, afterProgress, waits: false };
  if (event.line.includes('"notifications/progress"')) return { event, afterProgress: true, waits: false };
  const waits = afterProgress && parseLine(event.line).messages.some(({ kind }) => kind === 'response');
  return { event, afterProgress: afterProgress && !waits, waits };
};
