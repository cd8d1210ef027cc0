/** Owns when progress is told: soon after news, and now and then while nothing happens. */
import {
  auditTime,
  distinctUntilChanged,
  EMPTY,
  filter,
  interval,
  map,
  merge,
  type Observable,
  scan,
  switchMap,
} from 'rxjs';
import { type Event, isLast } from '../../protocol';
import { ofKind } from '../../streams';
import type { CallCommand } from './command';
import { toProgress } from './progress';

const EVERY_MS = 5_000;
/** News wait this long; those that came just before an answer are left out, as clients take a token back with the answer first. */
const NEWS_AFTER_MS = 20;

export type Beat = { kind: 'news' } | { kind: 'tick' };

/**
 * Beats for progress; `tick` only as long as any call is under way.
 *   event   b-n------z    (b a call begins, n news, z its last event)
 *   out     --- 20ms N -- 5s T
 */
export const beats = (command$: Observable<CallCommand>, event$: Observable<Event>): Observable<Beat> =>
  merge(
    news(event$),
    running(command$, event$).pipe(
      switchMap((busy) => (busy ? interval(EVERY_MS) : EMPTY)),
      map(() => ({ kind: 'tick' as const })),
    ),
  );

const news = (event$: Observable<Event>): Observable<Beat> =>
  event$.pipe(
    filter((event) => event.kind === 'told' && toProgress(event.msg) !== undefined),
    auditTime(NEWS_AFTER_MS),
    map(() => ({ kind: 'news' as const })),
  );

const running = (command$: Observable<CallCommand>, event$: Observable<Event>): Observable<boolean> =>
  merge(
    command$.pipe(
      ofKind('begin'),
      map(() => 1),
    ),
    event$.pipe(
      filter(isLast),
      map(() => -1),
    ),
  ).pipe(
    scan((count, change) => count + change, 0),
    map((count) => count > 0),
    distinctUntilChanged(),
  );
