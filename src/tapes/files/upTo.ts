/** Limits how much of a file the commands on tapes read. */
import { getHeapStatistics } from 'node:v8';
import { type MonoTypeOperatorFunction, map, pipe, scan } from 'rxjs';
import { TapeError } from '../format/tapeFile';

/** A tape is in memory several times at once, and is written as one text, whose length is limited. */
export const maxBytes = (): number => Math.min(getHeapStatistics().heap_size_limit / 8, 400_000_000);

type Piece = { chunk: Uint8Array; bytes: number };

/** Passes chunks up to `limit` bytes; errors with TapeError at the chunk that exceeds it. */
export const upTo = (limit: number, path: string): MonoTypeOperatorFunction<Uint8Array> =>
  pipe(
    scan<Uint8Array, Piece, undefined>(
      (before, chunk) => ({ chunk, bytes: (before?.bytes ?? 0) + chunk.length }),
      undefined,
    ),
    map(({ chunk, bytes }) => {
      if (bytes <= limit) return chunk;
      throw new TapeError(
        `${path} is larger than the ${Math.floor(limit / 1e6)} MB that can be worked on at once; cut it at a line, as split -C 200M does`,
      );
    }),
  );
