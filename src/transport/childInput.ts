/** Owns the input of a child process: bytes that leave for it, and what became of them. */
import type { Writable } from 'node:stream';
import { Observable } from 'rxjs';
import type { WriteStatus } from '../protocol/exec';

export const closeInput = (stdin: Writable | null): WriteStatus => {
  if (!stdin?.writable) return 'stdinClosed';
  stdin.end();
  return 'accepted';
};

/** Errors of a closed input are its status; the bytes behind it are told the same. */
export const writeInput = (stdin: Writable | null, chunk: Uint8Array): Observable<WriteStatus> =>
  new Observable((subscriber) => {
    const tell = (status: WriteStatus) => {
      subscriber.next(status);
      subscriber.complete();
    };
    if (!stdin?.writable) return tell('stdinClosed');
    stdin.write(chunk, (error) => tell(error ? 'stdinClosed' : 'accepted'));
  });
