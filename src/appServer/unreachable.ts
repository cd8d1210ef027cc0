/** Owns noticing that a server cannot reach its model, which some never give up on. */
import { distinctUntilKeyChanged, EMPTY, map, mergeMap, type Observable, switchMap, timer } from 'rxjs';
import type { Stop } from './ending';
import { objectOf, textOf, type Word } from './wire';

/** `retry` is an error that the server will retry after, `news` a sign that the model is there. */
type Sign = { kind: 'retry'; why: string } | { kind: 'news'; why: '' };

const signOf = ({ method, params }: Word): Sign[] => {
  if (method === 'error' && params.willRetry === true) {
    return [{ kind: 'retry', why: textOf(objectOf(params.error).message) }];
  }
  return method.startsWith('item/') ? [{ kind: 'news', why: '' }] : [];
};

/**
 * Emits when the server has retried for `waitMs` and the model gave no sign in between.
 *   word  -e--e-i-e---   (e an error it retries after, i news of an item)
 *   out   ------------L  (counted from the first e of a row)
 * Source: codex app-server 0.154.0 and 0.169.0, which wait for the network without end.
 */
export const unreachable = (word$: Observable<Word>, waitMs: number): Observable<Stop> =>
  word$.pipe(
    mergeMap(signOf),
    distinctUntilKeyChanged('kind'),
    switchMap(({ kind, why }) => (kind === 'retry' ? timer(waitMs).pipe(map(() => why)) : EMPTY)),
    map((why) => ({
      kind: 'late',
      message: `The model could not be reached for ${waitMs / 1000} s and the turn was stopped. ${why}`.trim(),
    })),
  );
