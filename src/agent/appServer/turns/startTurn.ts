/** Starts a turn in the server: one with input, or one that compacts the thread. */
import { concatMap, map, type Observable } from 'rxjs';
import type { ThreadOp } from '../../../protocol/codex/operations';
import type { JsonObject } from '../../../protocol/jsonrpc/json';
import { read, TurnResult } from '../shapes';
import { type OpenDeps, type OpenedThread, onRefusal, resumeThread } from '../threads/openThread';
import { toItems } from './turnParams';

/**
 * Emits the id of the turn, '' if the server reports it only once the turn has started. A thread that the server has unloaded in the
 * meantime is resumed first. Errors with RpcError if the server does not accept the turn, with CannotBegin if it has lost the thread.
 */
export const startTurn = (
  deps: OpenDeps,
  { thread, turnParams, isLoaded }: OpenedThread,
  op: ThreadOp,
): Observable<string> => {
  const { id: threadId, loadedBy: link, base } = thread;
  const [method, own] =
    'input' in op ? ['turn/start', { input: toItems(op.input, String(base.cwd ?? '')) }] : ['thread/compact/start', {}];
  const start = (params: JsonObject) =>
    link
      .request(method, { threadId, ...own, ...('input' in op ? params : {}) })
      .pipe(map((result) => read(TurnResult, result).turn.id));
  const again = () => resumeThread(deps, link, thread).pipe(concatMap((opened) => start(opened.turnParams)));
  return isLoaded ? start(turnParams) : start(turnParams).pipe(onRefusal(again));
};
