/** The lines of a record that wait for their append. */
import { BehaviorSubject, EMPTY, filter, ignoreElements, type Observable, Subject, take } from 'rxjs';

/**
 * `push` returns at once, and asks for an append after the current work; `flush` asks at once. `take` takes all that wait. `saved`: what was
 * taken is appended. `allSaved` completes when all that were pushed before it are. `flush$` emits when lines are to be appended.
 */
export type LineQueue = {
  push: (lines: readonly string[]) => void;
  flush: () => void;
  take: () => string;
  saved: () => Observable<never>;
  allSaved: () => Observable<never>;
  flush$: Observable<void>;
};

/** @param soon runs a function after the current work */
export const lineQueue = ({ soon }: { soon: (run: () => void) => void }): LineQueue => {
  const flush$ = new Subject<void>(); // the wire from lines that wait to their append
  const saved$ = new BehaviorSubject(0); // the wire from appends to the ends of turns: how many lines are appended
  let pushed = 0; // how many lines
  let taken = 0;
  let waiting = '';
  let isAsked = false; // until the next flush
  const flush = () => {
    isAsked = false;
    flush$.next();
  };
  const push = (lines: readonly string[]) => {
    if (!isAsked) soon(flush);
    isAsked = true;
    waiting += lines.join('');
    pushed += lines.length;
  };
  const takeAll = () => {
    const text = waiting;
    waiting = '';
    taken = pushed;
    return text;
  };
  const saved = () => {
    saved$.next(taken);
    return EMPTY;
  };
  return { push, flush, take: takeAll, saved, allSaved: () => reaching(saved$, pushed), flush$ };
};

const reaching = (count$: Observable<number>, due: number): Observable<never> =>
  count$.pipe(
    filter((count) => count >= due),
    take(1),
    ignoreElements(),
  );
