/** Serves a tape on the process's standard streams. */
import type { Readable, Writable } from 'node:stream';
import { concatMap, connect, filter, identity, map, merge, type Observable, takeUntil, takeWhile } from 'rxjs';
import { checkWhole, type LoadDeps, loadSessions } from '../../app/tapes/loadTape';
import { fromReadable } from '../../io/stdio/fromInput';
import { backpressureOf, writeLines } from '../../io/stdio/writeLines';
import { splitMessages, toFramed } from '../../streams/bytes/splitMessages';
import { ofKind } from '../../streams/ofKind';
import { framingOf } from '../../tapes/format/withLength';
import type { Faults } from '../../tapes/replayServer/faults';
import { injectFaults } from '../../tapes/replayServer/injectFaults';
import type { Remark } from '../../tapes/replayServer/playbackEvent';
import { releaseBySteps } from '../../tapes/replayServer/releaseBySteps';
import type { ReplayOptions } from '../../tapes/replayServer/replayServer';
import { replaySessions } from '../../tapes/replayServer/replaySessions';
import { toSessionIndex } from '../../tapes/session/toSessionIndex';

/** The client is on stdin and stdout; `stop$` emits when the process is to end; `step$` emits how many lines may leave; `faults` are done to the lines. */
export type ServingDeps = LoadDeps & {
  stdin: Readable;
  stdout: Writable;
  stop$: Observable<unknown>;
  step$?: Observable<number>;
  faults?: { faults: Faults; seed: number };
};

/** Which tape, and how it is played. */
export type TapeChoice = { path: string; session?: number; allow: 'whole' | 'redacted' };

/** A language client ends its server by a message. Source: Language Server Protocol 3.17, exit. */
const isExit = (line: string): boolean => line.length < 80 && /"method": *"exit"/.test(line);

const MAX_QUEUE_BYTES = 262_144;

/** Serves a tape. Emits the remarks of the playback; completes once the input has ended and all lines are written. */
export const startServing = (
  deps: ServingDeps,
  { path, session, allow }: TapeChoice,
  options: ReplayOptions,
): Observable<Remark> =>
  loadSessions(deps, path, session).pipe(
    map((sessions) => sessions.map((loaded) => toSessionIndex(checkWhole(loaded.session, allow)))),
    concatMap((sessions) => {
      const toText = toFramed(sessions.some((one) => framingOf(one) === 'contentLength') ? 'contentLength' : 'lines');
      return fromReadable<Uint8Array>(deps.stdin, backpressureOf(deps.stdout, MAX_QUEUE_BYTES)).pipe(
        takeUntil(deps.stop$),
        splitMessages(),
        takeWhile((line) => !isExit(line), true),
        replaySessions(sessions, deps.faults ? { ...options, cancels: 'any' } : options),
        deps.faults ? injectFaults(deps.faults.faults, deps.faults.seed) : identity,
        deps.step$ ? releaseBySteps(deps.step$.pipe(takeUntil(deps.stop$))) : identity,
        connect((event$) =>
          merge(
            event$.pipe(
              ofKind('line'),
              map(({ line }) => toText(line)),
              writeLines(deps.stdout),
            ),
            event$.pipe(filter((event): event is Remark => event.kind !== 'line')),
          ),
        ),
      );
    }),
  );
