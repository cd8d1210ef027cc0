/** The wheel, the mouse and fingers as actions. */
import { concatMap, filter, fromEvent, map, merge, type Observable, scan, switchMap, takeUntil, tap } from 'rxjs';
import { followGesture, isDragging, NO_GESTURE, type PointerInput } from '../gesture';
import type { Action } from '../state';
import { byId } from './dom';

/** The actions of the wheel, and of presses on the stage and on the minimap. */
export const pointers = (): Observable<Action> => merge(wheel(), drags(), minimapPresses());

/** Up and down zooms; sideways, or with Shift, pans. */
const wheel = (): Observable<Action> =>
  fromEvent<WheelEvent>(byId('stage'), 'wheel', { passive: false }).pipe(
    tap((event) => event.preventDefault()),
    map(({ deltaX, deltaY, shiftKey, offsetX }): Action => {
      if (shiftKey || Math.abs(deltaX) > Math.abs(deltaY)) return { do: 'pan', px: deltaX || deltaY };
      return { do: 'zoom', by: Math.exp(-Math.max(-240, Math.min(240, deltaY)) * 0.003), px: offsetX };
    }),
  );

const pressOn = (target: EventTarget | null): Action[] => {
  if (!(target instanceof Element)) return [];
  const marble = target.closest<SVGElement>('[data-marble]')?.dataset.marble;
  if (marble !== undefined) return [{ do: 'select', marble: Number(marble) }, { do: 'open' }];
  const cluster = target.closest<SVGElement>('[data-first]')?.dataset;
  return cluster ? [{ do: 'frame', first: Number(cluster.first), last: Number(cluster.last) }] : [];
};

/** A drag continues outside the stage, so its moves and its end are events of the window. */
const drags = (): Observable<Action> => {
  const stage = byId<SVGSVGElement>('stage');
  const pointOf = ({ pointerId, clientX, clientY }: PointerEvent) => {
    const { left, top } = stage.getBoundingClientRect();
    return { id: pointerId, x: clientX - left, y: clientY - top };
  };
  const onWindow = (name: string, kind: 'move' | 'up' | 'cancel'): Observable<PointerInput> =>
    fromEvent<PointerEvent>(window, name).pipe(map((event) => ({ kind, ...pointOf(event) })));
  const down$ = fromEvent<PointerEvent>(stage, 'pointerdown').pipe(
    filter(({ button }) => button === 0),
    map((event): PointerInput => ({ kind: 'down', press: pressOn(event.target), ...pointOf(event) })),
  );
  return merge(
    down$,
    onWindow('pointermove', 'move'),
    onWindow('pointerup', 'up'),
    onWindow('pointercancel', 'cancel'),
  ).pipe(
    scan(followGesture, NO_GESTURE),
    tap((gesture) => stage.classList.toggle('dragged', isDragging(gesture))),
    concatMap(({ actions }) => actions),
  );
};

/** A press on the minimap goes there, and the view follows the pointer while it is down. */
const minimapPresses = (): Observable<Action> => {
  const minimap = byId<SVGSVGElement>('minimap');
  const toAction = ({ clientX }: PointerEvent): Action => {
    const { left, width } = minimap.getBoundingClientRect();
    return { do: 'centre', part: (clientX - left) / Math.max(1, width) };
  };
  return fromEvent<PointerEvent>(minimap, 'pointerdown').pipe(
    switchMap((down) =>
      merge(
        [toAction(down)],
        fromEvent<PointerEvent>(window, 'pointermove').pipe(map(toAction), takeUntil(fromEvent(window, 'pointerup'))),
      ),
    ),
  );
};
