/** Gives a thread back to the server that holds it. */
import { EMPTY, type Observable } from 'rxjs';
import type { Released } from '../../turns/runOpened';
import type { Thread } from './openThread';

/** The server unloads a thread that has no subscriber. */
const unload = ({ id: threadId, loadedBy }: Thread): void =>
  loadedBy.requestAndForget('thread/unsubscribe', { threadId });

/** Gives back a thread that was closed. Completes at once. */
export const closeThread = (thread: Thread): Observable<never> => {
  unload(thread);
  return EMPTY;
};

/** Gives back a thread that is not in use. One without a turn is not stored, so it could not be loaded again. */
export const releaseThread = (thread: Thread): Released<Thread> => {
  if (thread.turnId === '') return { kind: 'kept' };
  unload(thread);
  return { kind: 'unloaded', thread: { ...thread, isUnloaded: true } };
};
