/** The input of a child process. */
import type { Writable } from 'node:stream';
import { Observable } from 'rxjs';
import type { WriteStatus } from '../../protocol/exec/process';

/** Closes the input of a child, and reports whether it was open. */
export const closeInput = (stdin: Writable | null): WriteStatus => {
  if (!stdin?.writable) return 'stdinClosed';
  stdin.end();
  return 'accepted';
};

/**
 * Writes when it is subscribed. Emits the status once the operating system has taken the bytes; an error means a closed input, and so
 * does a stream that is destroyed by then: Node reports no error for what was still to be written.
 */
export const writeInput = (stdin: Writable | null, chunk: Uint8Array): Observable<WriteStatus> =>
  new Observable((subscriber) => {
    const settle = (status: WriteStatus) => {
      subscriber.next(status);
      subscriber.complete();
    };
    if (!stdin?.writable) return settle('stdinClosed');
    stdin.write(chunk, (error) => settle(error || stdin.destroyed ? 'stdinClosed' : 'accepted'));
  });
