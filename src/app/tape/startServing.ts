/** Owns wiring a tape as a server to the process's streams. */
import type { Readable, Writable } from 'node:stream';
import { concatMap, connect, filter, identity, map, merge, type Observable, takeUntil } from 'rxjs';
import { type PlaybackEvent, type ReplayOptions, releaseBySteps, replayServer } from '../../replay';
import { toRecording } from '../../session';
import { decodeUtf8, ofKind, splitLines } from '../../streams';
import { backpressureOf, fromReadable, writeLines } from '../../transport';
import { checkWhole, type LoadDeps, loadSession } from './loadTape';

/** The client is on stdin and stdout; `stop$` emits when a signal asks to end; `step$`, if any, lets lines go. */
export type ServingDeps = LoadDeps & {
  stdin: Readable;
  stdout: Writable;
  stop$: Observable<unknown>;
  step$?: Observable<number>;
};

/** Which tape, and how it is played. */
export type TapeChoice = { path: string; session?: number; allow: 'whole' | 'redacted' };

const MAX_QUEUE_BYTES = 262_144;

/** Serves a tape. Emits each `trouble`, and `rest` at the end; completes when input has ended and all has left. */
export const startServing = (
  deps: ServingDeps,
  { path, session, allow }: TapeChoice,
  options: ReplayOptions,
): Observable<Exclude<PlaybackEvent, { kind: 'line' }>> =>
  loadSession(deps, path, session).pipe(
    map((loaded) => toRecording(checkWhole(loaded, allow))),
    concatMap((recording) =>
      fromReadable<Uint8Array>(deps.stdin, backpressureOf(deps.stdout, MAX_QUEUE_BYTES)).pipe(
        takeUntil(deps.stop$),
        decodeUtf8(),
        splitLines(),
        replayServer(recording, options),
        deps.step$ ? releaseBySteps(deps.step$.pipe(takeUntil(deps.stop$))) : identity,
        connect((played$) =>
          merge(
            played$.pipe(
              ofKind('line'),
              map(({ line }) => line),
              writeLines(deps.stdout),
            ),
            played$.pipe(filter((played) => played.kind !== 'line')),
          ),
        ),
      ),
    ),
  );
