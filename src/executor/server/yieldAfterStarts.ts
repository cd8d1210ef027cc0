/** Owns that one client's many starts do not hold up the others: each takes milliseconds of the one thread there is. */
import { concat, ignoreElements, type MonoTypeOperatorFunction, map, of, timer } from 'rxjs';
import { scanInTurn } from '../../streams';
import type { Act } from './admit';

/**
 * Passes all in its order; what follows every `many` starts waits for the next turn, in which other connections are heard.
 *   in  sssk---     (s starts, k another request, many 2)
 *   out ss-sk--
 */
export const yieldAfterStarts =
  (many: number): MonoTypeOperatorFunction<Act> =>
  (act$) =>
    act$.pipe(
      scanInTurn<Act, At>(
        ({ starts }, act) => {
          if (!isStart(act)) return { starts, act };
          const now = { starts: starts + 1, act };
          return now.starts % many === 0 ? concat(of(now), REST) : now;
        },
        { starts: 0, act: { kind: 'none' } },
      ),
      map(({ act }) => act),
    );

type At = { starts: number; act: Act };

const isStart = (act: Act): boolean => act.kind === 'run' && act.request.method === 'process/start';

const REST = timer(0).pipe(ignoreElements());
