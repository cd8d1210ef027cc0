/** Owns the events of processes that specs speak of. */
import type { OutputPage, OutputStream, ProcessEvent } from '../../src/protocol/exec/process';

export const output = (seq: number, text = String(seq), stream: OutputStream = 'stdout'): ProcessEvent => ({
  kind: 'output',
  seq,
  stream,
  chunk: Buffer.from(text),
});
/** Output of so many bytes. */
export const bytes = (seq: number, size: number): ProcessEvent => output(seq, 'x'.repeat(size));
export const exited = (seq: number, exitCode = 0): ProcessEvent => ({ kind: 'exited', seq, exitCode });
export const closed = (seq: number): ProcessEvent => ({ kind: 'closed', seq });
export const gap = (seq: number, missing: number, missingBytes?: number): ProcessEvent => ({
  kind: 'gap',
  seq,
  missing,
  ...(missingBytes !== undefined && { missingBytes }),
});
export const failed = (seq: number, reason: string): ProcessEvent => ({ kind: 'failed', seq, reason });

/** How much output there was before `seq`. */
export const bytesBefore = (events: readonly ProcessEvent[], seq: number): number =>
  events.reduce((sum, event) => sum + (event.kind === 'output' && event.seq < seq ? event.chunk.length : 0), 0);

/** What an executor that retains `events` from `firstKept` on, and reports what is gone, would answer. */
export const pageOf = (events: readonly ProcessEvent[], afterSeq: number, firstKept = 1): OutputPage => {
  const exit = events.find((event) => event.kind === 'exited');
  return {
    chunks: events.flatMap((event) =>
      event.kind === 'output' && event.seq > afterSeq && event.seq >= firstKept
        ? [{ seq: event.seq, stream: event.stream, chunk: event.chunk }]
        : [],
    ),
    nextSeq: (events.at(-1)?.seq ?? 0) + 1,
    exited: exit !== undefined,
    exitCode: exit?.kind === 'exited' ? exit.exitCode : null,
    closed: events.at(-1)?.kind === 'closed',
    failure: null,
    ...evictedIn(events, afterSeq, firstKept),
  };
};

const evictedIn = (
  events: readonly ProcessEvent[],
  afterSeq: number,
  firstKept: number,
): Pick<OutputPage, 'evicted'> => {
  const gone = events.filter((event) => event.kind === 'output' && event.seq < firstKept);
  const throughSeq = gone.at(-1)?.seq ?? 0;
  return throughSeq > afterSeq ? { evicted: { throughSeq, bytes: bytesBefore(gone, firstKept) } } : {};
};
