/** Gives a thread back to the server that has it. */
import { EMPTY, type Observable } from 'rxjs';
import type { Released } from '../../turns';
import type { Thread } from './openThread';

/** The server unloads a thread that nobody follows. */
const unload = ({ id: threadId, loadedBy }: Thread): void =>
  loadedBy.requestAndForget('thread/unsubscribe', { threadId });

/** A thread that was closed. Completes at once. */
export const closeThread = (thread: Thread): Observable<never> => {
  unload(thread);
  return EMPTY;
};

/** A thread that is not used now. One without a turn is not stored, so nothing could load it again. */
export const releaseThread = (thread: Thread): Released<Thread> => {
  if (thread.turnId === '') return { kind: 'kept' };
  unload(thread);
  return { kind: 'unloaded', thread: { ...thread, isUnloaded: true } };
};
