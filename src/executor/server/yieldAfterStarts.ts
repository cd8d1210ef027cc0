/** One client's many starts do not hold up other connections: each takes milliseconds of the one thread. */
import { concat, ignoreElements, type MonoTypeOperatorFunction, map, of, timer } from 'rxjs';
import { scanInTurn } from '../../streams/scanInTurn';
import type { Action } from './admit';

/**
 * Passes all in its order; what follows every `many` starts waits for the next turn of the event loop.
 *   in  sssk---     (s starts, k another request, many 2)
 *   out ss-sk--
 */
export const yieldAfterStarts =
  (many: number): MonoTypeOperatorFunction<Action> =>
  (action$) =>
    action$.pipe(
      scanInTurn<Action, State>(
        ({ starts }, output) => {
          if (!isStart(output)) return { starts, output };
          const next = { starts: starts + 1, output };
          return next.starts % many === 0 ? concat(of(next), NEXT_TURN) : next;
        },
        { starts: 0, output: { kind: 'none' } },
      ),
      map(({ output }) => output),
    );

type State = { starts: number; output: Action };

const isStart = (action: Action): boolean => action.kind === 'run' && action.request.method === 'process/start';

const NEXT_TURN = timer(0).pipe(ignoreElements());
