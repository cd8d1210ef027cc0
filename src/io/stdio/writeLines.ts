/** Writes lines to a Node stream, many in one write, none lost. */
import type { Duplex, Writable } from 'node:stream';
import { fromEvent, Observable, type OperatorFunction, share } from 'rxjs';
import type { Backpressure } from '../../streams/backpressure';

/** A longer line is written as bytes, on its own: Node allocates three bytes for each character of a text that it writes. */
const LONG_CHARS = 8_192;

/**
 * Writes each line with a newline after it, and bytes as they are, in order; the short lines of one tick leave in one write, a long one in a write of its own.
 * Emits nothing. Completes when the source has and the last byte was handed to the operating system,
 * or as soon as the reader is gone. Never errors.
 */
export const writeLines =
  (writable: Writable): OperatorFunction<string | Uint8Array, never> =>
  (line$) =>
    new Observable<never>((subscriber) => {
      const { add, flush } = lineBatch(writable);
      const gone = () => subscriber.complete();
      if (!writable.writable) return gone();
      writable.on('error', gone).on('close', gone);
      const source = line$.subscribe({
        next: add,
        error: (error) => subscriber.error(error),
        complete: () => {
          flush();
          if (writable.writable) writable.write('', gone);
          else gone();
        },
      });
      return () => {
        writable.off('close', gone);
        source.unsubscribe();
      };
    });

/** `add` keeps a short line until the end of the tick and writes a long one, and bytes; `flush` writes what is kept. */
type Batch = { add: (line: string | Uint8Array) => void; flush: () => void };

const lineBatch = (writable: Writable): Batch => {
  let batch = '';
  const flush = (): void => {
    const text = batch;
    batch = '';
    if (text !== '' && writable.writable) writable.write(text.length > LONG_CHARS ? Buffer.from(text) : text);
  };
  const writeLong = (bytes: Uint8Array): void => {
    flush();
    if (writable.writable) writable.write(bytes);
  };
  const keep = (line: string): void => {
    if (batch === '') process.nextTick(flush);
    batch += `${line}\n`;
  };
  const add = (line: string | Uint8Array): void => {
    if (typeof line !== 'string') writeLong(line);
    else if (line.length > LONG_CHARS) writeLong(toBytes(line));
    else keep(line);
  };
  return { add, flush };
};

const NEWLINE = 10;

const toBytes = (line: string): Buffer => {
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(line) + 1);
  bytes[bytes.write(line)] = NEWLINE;
  return bytes;
};

/** The queue of a stream as backpressure: full beyond `maxBytes`, while a drain is sure to come. One listener serves all sources. */
export const backpressureOf = (writable: Writable | Duplex, maxBytes: number): Backpressure => ({
  isFull: () => writable.writableLength > maxBytes && writable.writableNeedDrain,
  drain$: fromEvent(writable, 'drain').pipe(share()),
});
