/** Runs a process to its end, for a caller that needs all of its output at once. */
import { map, type Observable, reduce, takeWhile, throwError, timeout } from 'rxjs';
import type { Backend, Started } from '../../executor/backend';
import type { ProcessEvent, ProcessSpec } from '../../protocol/exec/process';
import { HostError, type ProcessEnd } from '../../protocol/methods/host';
import { toTimerMs } from '../../streams/time/wait';

/** @param maxBytes of output, both streams together; what comes after it is dropped */
export type RunLimits = { timeoutMs: number; maxBytes: number };

type Collected = { stdout: Uint8Array[]; stderr: Uint8Array[]; bytes: number; exitCode: number };

/**
 * Emits once, when the process has closed. Errors with HostError where it cannot be started or takes longer than `timeoutMs`. Then, and
 * on unsubscription, the process ends with all that it started.
 *   process  s-o-o-x-z       process  s-o----    (s started, o output, x exited, z closed)
 *   out      --------(E|)    out      -----#     (E the end)
 */
export const runToEnd =
  (backend: Backend, { timeoutMs, maxBytes }: RunLimits) =>
  (spec: ProcessSpec): Observable<ProcessEnd> =>
    backend.start(spec).pipe(
      takeWhile(({ kind }) => kind !== 'closed'),
      reduce(addTo(maxBytes), nothing()),
      timeout({ first: toTimerMs(timeoutMs), with: () => throwError(() => new HostError(lateText(timeoutMs))) }),
      map(({ stdout, stderr, bytes, exitCode }) => ({
        exitCode,
        stdout: toText(stdout),
        stderr: toText(stderr),
        isCut: bytes > maxBytes,
      })),
    );

const nothing = (): Collected => ({ stdout: [], stderr: [], bytes: 0, exitCode: -1 });

const lateText = (ms: number): string => `it did not end within ${ms / 1000} s`;

/** Output is added in place: megabytes of it pass, chunk by chunk. */
const addTo =
  (maxBytes: number) =>
  (collected: Collected, event: Started | ProcessEvent): Collected => {
    if (event.kind === 'failed') throw new HostError(event.reason);
    if (event.kind === 'exited') return { ...collected, exitCode: event.exitCode };
    if (event.kind !== 'output') return collected;
    const bytes = collected.bytes + event.chunk.length;
    if (bytes <= maxBytes) collected[event.stream === 'stderr' ? 'stderr' : 'stdout'].push(event.chunk);
    return { ...collected, bytes };
  };

const toText = (chunks: readonly Uint8Array[]): string => Buffer.concat(chunks).toString('utf8');
