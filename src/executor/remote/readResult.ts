/** Reading the results of an exec-server. */
import { map, type Observable } from 'rxjs';
import type { OutputChunk, OutputPage, WriteStatus } from '../../protocol/exec/process';
import { ReadResult, StatusResult, TerminateResult } from '../../protocol/exec/results';
import { checkResult } from '../../protocol/rpc/checkResult';
import { EXEC_SERVER } from './openConnection';

/** A chunk of output as the wire has it; `chunk` is base64. */
type WireChunk = Omit<OutputChunk, 'chunk'> & { chunk: string };

/** A chunk of process/read in bytes. */
export const toChunk = ({ seq, stream, chunk }: WireChunk): OutputChunk => ({
  seq,
  stream,
  chunk: Buffer.from(chunk, 'base64'),
});

const resultOf = (method: string): string => `${EXEC_SERVER}'s result of ${method}`;

/** The result of process/read. */
export const readPage = (result$: Observable<unknown>): Observable<OutputPage> =>
  result$.pipe(
    checkResult(ReadResult, resultOf('process/read')),
    map(({ chunks, evictedThrough, evictedBytes, ...page }) => ({
      ...page,
      chunks: chunks.map(toChunk),
      ...(evictedThrough !== undefined &&
        evictedBytes !== undefined && { evicted: { throughSeq: evictedThrough, bytes: evictedBytes } }),
    })),
  );

/** The result of process/write and process/closeStdin. */
export const readStatus =
  (method: string) =>
  (result$: Observable<unknown>): Observable<WriteStatus> =>
    result$.pipe(
      checkResult(StatusResult, resultOf(method)),
      map(({ status }) => status),
    );

/** The result of process/terminate: whether the process still ran. */
export const readRunning = (result$: Observable<unknown>): Observable<boolean> =>
  result$.pipe(
    checkResult(TerminateResult, resultOf('process/terminate')),
    map(({ running }) => running),
  );
