/** Owns a bounded way out: lines wait in memory only up to a limit, and a broken or unread reader costs records, never time. */
import type { Writable } from 'node:stream';

/** Takes lines and never blocks; `idle` resolves once nothing waits, however it went. */
export type Outlet = { write: (line: string) => void; idle: () => Promise<void> };

type OutletDeps = {
  stream: Writable;
  /** Bytes that may wait for a slow reader; lines beyond are dropped and counted. */
  maxWaitingBytes: number;
  /** The line that tells how many were dropped, once lines flow again. */
  toldLoss: (count: number) => string;
  /** Told of every failed write: EPIPE, EBADF, ENOSPC. */
  failed?: (error: Error) => void;
};

/** Writes lines to a stream that may be slow, closed or never read. Its 'error' events are heard here. */
export const outlet = ({ stream, maxWaitingBytes, toldLoss, failed = () => {} }: OutletDeps): Outlet => {
  let waitingBytes = 0;
  let lost = 0;
  let waiters: (() => void)[] = [];
  stream.on('error', () => {}); // every write hears of its own failure below

  /** `bears` counts the records that are lost when this line does not arrive. */
  const send = (line: string, bears: number) => {
    const bytes = Buffer.from(`${line}\n`);
    waitingBytes += bytes.length;
    try {
      stream.write(bytes, (error) => settle(bytes.length, error ? bears : 0, error));
    } catch (error) {
      settle(bytes.length, bears, error as Error); // Node's own streams do not throw; a double may
    }
  };

  const settle = (bytes: number, lostNow: number, error: Error | null | undefined) => {
    waitingBytes -= bytes;
    lost += lostNow;
    if (error) failed(error);
    else if (lost > 0 && waitingBytes <= maxWaitingBytes / 2) confess();
    if (waitingBytes > 0) return;
    for (const wake of waiters) wake();
    waiters = [];
  };

  const confess = () => {
    const count = lost;
    lost = 0;
    send(toldLoss(count), count);
  };

  return {
    write: (line) => {
      if (waitingBytes + line.length > maxWaitingBytes) lost += 1;
      else send(line, 1);
    },
    idle: () => (waitingBytes === 0 ? Promise.resolve() : new Promise((wake) => waiters.push(wake))),
  };
};
