/** What a user does as actions: keys, clicks, the wheel, touch. */
import { debounceTime, fromEvent, fromEventPattern, map, merge, type Observable } from 'rxjs';
import type { Action } from '../state';
import { clicks } from './clicks';
import { byId } from './dom';
import { keys } from './keys';
import { pointers } from './pointers';

const SEARCH_MS = 140;

/** Every action of the user, and each change of the stage's size. */
export const actions = (): Observable<Action> => merge(resizes(), clicks(), typing(), keys(), pointers());

/** The stage changes with the window, and with the panel beside it. */
const resizes = (): Observable<Action> =>
  fromEventPattern<Action>(
    (emit) => {
      const observer = new ResizeObserver(() => emit({ do: 'resize', width: stageWidth() }));
      observer.observe(byId('stage'));
      return observer;
    },
    (_, observer: ResizeObserver) => observer.disconnect(),
  );

/** Pixels of the stage now. */
export const stageWidth = (): number => Math.max(1, byId('stage').clientWidth);

const typing = (): Observable<Action> => {
  const input = byId<HTMLInputElement>('search');
  return fromEvent(input, 'input').pipe(
    debounceTime(SEARCH_MS),
    map(() => ({ do: 'search', query: input.value }) as const),
  );
};
