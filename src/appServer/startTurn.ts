/** Starting a turn in the server. */
import { concatMap, map, type Observable } from 'rxjs';
import type { JsonObject } from '../protocol/jsonrpc';
import { type OpenDeps, type OpenedThread, onRefusal, resumeThread } from './openThread';
import { read, TurnResult } from './shapes';

/**
 * Emits the id of the turn. A thread that the server has unloaded in the meantime is resumed first.
 * Errors with RpcError when the server does not take the turn, with CannotBegin when it has lost the thread.
 */
export const startTurn = (
  deps: OpenDeps,
  { thread, turnParams, isLoaded }: OpenedThread,
  prompt: string,
): Observable<string> => {
  const { id: threadId, loadedBy: link } = thread;
  const input = [{ type: 'text', text: prompt }];
  const start = (params: JsonObject) =>
    link.request('turn/start', { threadId, input, ...params }).pipe(map((result) => read(TurnResult, result).turn.id));
  const again = () => resumeThread(deps, link, thread).pipe(concatMap((opened) => start(opened.turnParams)));
  return isLoaded ? start(turnParams) : start(turnParams).pipe(onRefusal(again));
};
