/** What can be done with a process on an exec-server. */
import { defer, map, type Observable, of, switchMap } from 'rxjs';
import { counter } from '../../streams/counter';
import type { Process } from '../backend';
import type { Session } from './openSession';
import { readPage, readRunning, readStatus } from './readResult';

/**
 * A process by its id. `holdsOutput$` emits whether the server waits for acknowledgements. Each write has an id of its own, so that the server recognises
 * one that is repeated.
 */
export const remoteProcess = ({ request }: Session, processId: string, holdsOutput$: Observable<boolean>): Process => {
  const nextWrite = counter();
  return {
    read: (from) => request('process/read', { processId, ...from }, 'repeat').pipe(readPage),
    acknowledge: (seq) =>
      holdsOutput$.pipe(
        switchMap((holds) => (holds ? request('process/acknowledge', { processId, seq }, 'repeat') : of({}))),
        map(() => undefined),
      ),
    write: (chunk) =>
      defer(() => {
        const params = { processId, chunk: Buffer.from(chunk).toString('base64'), writeId: String(nextWrite()) };
        return request('process/write', params, 'repeatIfKnown');
      }).pipe(readStatus('process/write')),
    closeStdin: () => request('process/closeStdin', { processId }, 'repeat').pipe(readStatus('process/closeStdin')),
    signal: (signal) => request('process/signal', { processId, signal }, 'fail').pipe(map(() => undefined)),
    terminate: () => request('process/terminate', { processId }, 'repeat').pipe(readRunning),
  };
};
