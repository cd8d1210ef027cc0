/** Writes lines within a bound: a slow or closed stream costs records, never time. Own code: winston buffers without a bound. */
import type { Writable } from 'node:stream';

/** Writes lines without blocking. */
export type BoundedWriter = {
  /** Takes a line; never blocks. */
  write: (line: string) => void;
  /** Resolves once no line waits, whether it was written or failed. */
  idle: () => Promise<void>;
};

type BoundedWriterDeps = {
  stream: Writable;
  /** Bytes that may wait for a slow reader; further lines are dropped and counted. */
  maxWaitingBytes: number;
  /** The line that reports how many were dropped, written once the reader drains. */
  toLossLine: (dropped: number) => string;
  /** Called for every failed write, with its line: EPIPE, EBADF, ENOSPC. */
  onFailure?: (error: Error, line: string) => void;
};

type Failed = { error: Error; line: string };

/** Makes a writer. It counts in variables, as the stream calls back line by line. 'error' events end here. */
export const boundedWriter = ({ stream, maxWaitingBytes, toLossLine, onFailure }: BoundedWriterDeps): BoundedWriter => {
  const waiters = waitersForIdle();
  let waitingBytes = 0;
  let dropped = 0;
  stream.on('error', () => {}); // each write gets its own failure

  /** `records` is how many are lost if this line does not arrive. */
  const send = (line: string, records: number) => {
    const bytes = Buffer.from(`${line}\n`);
    waitingBytes += bytes.length;
    writeSafely(stream, bytes, (error) => settle(bytes.length, records, error && { error, line }));
  };
  const settle = (bytes: number, records: number, failed?: Failed | null) => {
    waitingBytes -= bytes;
    if (failed) {
      dropped += records;
      onFailure?.(failed.error, failed.line);
    } else if (dropped > 0 && waitingBytes <= maxWaitingBytes / 2) {
      const count = dropped;
      dropped = 0; // before the line is sent, which may fail at once
      send(toLossLine(count), count);
    }
    if (waitingBytes === 0) waiters.wake();
  };
  const write = (line: string) => {
    if (waitingBytes + line.length > maxWaitingBytes) dropped += 1;
    else send(line, 1);
  };
  return { write, idle: async () => (waitingBytes === 0 ? undefined : waiters.wait()) };
};

const waitersForIdle = () => {
  const waiters: (() => void)[] = [];
  return {
    wait: () => new Promise<void>((wake) => waiters.push(wake)),
    wake: () => {
      for (const wake of waiters.splice(0)) wake();
    },
  };
};

type Done = (error: Error | null | undefined) => void;

/** Node's own streams do not throw; a stand-in for one may. */
const writeSafely = (stream: Writable, bytes: Uint8Array, done: Done): void => {
  try {
    stream.write(bytes, done);
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
  }
};
