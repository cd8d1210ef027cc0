/** The daemon within this process, as an operator from lines to lines. */
import { PassThrough } from 'node:stream';
import { defer, finalize, merge, NEVER, type Observable, type OperatorFunction } from 'rxjs';
import { type ServeDeps, type ServeOptions, serve } from '../../app/serve';
import { fromReadable } from '../../io/stdio/fromInput';
import { writeLines } from '../../io/stdio/writeLines';
import { noBackpressure } from '../../streams/backpressure';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { splitLines } from '../../streams/bytes/splitLines';

/** The daemon of a tape: how it was started, and where. */
export type Daemon = { options: ServeOptions; processInfo: ServeDeps['processInfo'] };

type DaemonDeps = Daemon & Pick<ServeDeps, 'log' | 'seams'>;

/** The daemon in this process: lines in, lines out. @param stop$ emits the signal that asks it to end */
export const runDaemon =
  ({ options, ...deps }: DaemonDeps, stop$: Observable<string> = NEVER): OperatorFunction<string, string> =>
  (line$) =>
    defer(() => {
      const [stdin, stdout] = [new PassThrough(), new PassThrough()];
      return merge(
        fromReadable<Uint8Array>(stdout, noBackpressure).pipe(decodeUtf8(), splitLines()),
        serve({ ...deps, stdin, stdout, stop$ }, options).pipe(finalize(() => stdout.end())),
        line$.pipe(
          writeLines(stdin),
          finalize(() => stdin.end()),
        ),
      );
    });
