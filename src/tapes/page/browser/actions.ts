/** What a user does, as actions: clicks, keys, typing; the mouse and fingers on the picture are in `pointers`. */
import {
  concatMap,
  debounceTime,
  filter,
  fromEvent,
  fromEventPattern,
  map,
  merge,
  mergeMap,
  type Observable,
  scan,
  startWith,
  switchMap,
  takeUntil,
  tap,
} from 'rxjs';
import type { Column } from '../calls';
import { followGesture, isDragging, NO_GESTURE, type PointerInput } from '../gesture';
import type { Model } from '../model';
import type { Action, Move } from '../state';
import { byId, otherTheme } from './dom';

const SEARCH_MS = 140;

/** Every action of the user, and each change of the stage's size. */
export const actions = (): Observable<Action> => merge(resizes(), clicks(), typing(), keys(), pointers(), links());

/** The link to a line: `#line-144`, also the one with which the page was opened. */
const links = (): Observable<Action> =>
  fromEvent(window, 'hashchange').pipe(
    startWith(undefined),
    mergeMap(() => {
      const [, number] = /^#line-(\d{1,9})$/.exec(location.hash) ?? [];
      return number === undefined ? [] : [{ do: 'line', number: Number(number) } as const];
    }),
  );

/** Makes the address of the page a link to the marble, without a step in the history of the browser. */
export const showAddress = ({ marbles, lines }: Model, marble: number | undefined): void => {
  const number = lines.number[marbles.first[marble ?? -1] ?? -1];
  if (number !== undefined) history.replaceState(null, '', `#line-${number}`);
  else if (location.hash !== '') history.replaceState(null, '', location.href.replace(/#.*/s, ''));
};

/** The size of the stage changes with the window, and with the panel next to it. */
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

const ZOOM = 1.35;

const STEPS: Record<string, Action> = {
  'zoom-in': { do: 'zoom', by: ZOOM },
  'zoom-out': { do: 'zoom', by: 1 / ZOOM },
  'zoom-fit': { do: 'fit' },
  'hit-next': { do: 'hit', by: 1 },
  'hit-previous': { do: 'hit', by: -1 },
  errors: { do: 'error', by: 1 },
  axis: { do: 'axis' },
  all: { do: 'all' },
  calls: { do: 'calls' },
};

const clicks = (): Observable<Action> =>
  merge(
    fromEvent<MouseEvent>(document, 'click').pipe(
      mergeMap(({ target }) => (target instanceof Element ? clicked(target) : [])),
    ),
    fromEvent(byId('threads'), 'change').pipe(
      map(({ target }) => ({ do: 'thread', index: Number((target as HTMLElement).dataset.thread) }) as const),
    ),
  );

const clicked = (target: Element): Action[] => {
  const button = target.closest<HTMLElement>('button');
  if (!button) return [];
  const { lane, step, sort, call } = button.dataset;
  if (sort !== undefined) return [{ do: 'sort', by: sort as Column }];
  if (call !== undefined) return [{ do: 'select', marble: Number(call) }, { do: 'open' }];
  if (lane !== undefined) return [{ do: 'lane', index: Number(lane) }];
  if (step !== undefined) return [{ do: 'step', to: step as Move }];
  if (button.dataset.do === 'close') return [{ do: 'close' }];
  if (button.id === 'theme') return [otherTheme()];
  if (button.id === 'keys') byId<HTMLDialogElement>('help').showModal();
  if (button.id === 'help-close') byId<HTMLDialogElement>('help').close();
  const known = STEPS[button.id];
  return known ? [known] : [];
};

const KEYS: Record<string, Action> = {
  ArrowLeft: { do: 'step', to: 'previous' },
  ArrowRight: { do: 'step', to: 'next' },
  ArrowUp: { do: 'step', to: 'up' },
  ArrowDown: { do: 'step', to: 'down' },
  Home: { do: 'step', to: 'first' },
  End: { do: 'step', to: 'last' },
  Enter: { do: 'open' },
  Escape: { do: 'close' },
  '+': { do: 'zoom', by: ZOOM },
  '=': { do: 'zoom', by: ZOOM },
  '-': { do: 'zoom', by: 1 / ZOOM },
  '0': { do: 'fit' },
  n: { do: 'hit', by: 1 },
  N: { do: 'hit', by: -1 },
  e: { do: 'error', by: 1 },
  E: { do: 'error', by: -1 },
  p: { do: 'step', to: 'partner' },
  t: { do: 'axis' },
  a: { do: 'all' },
  c: { do: 'calls' },
};

/** The actions of keys, except for keys of the browser itself. */
const keys = (): Observable<Action> =>
  fromEvent<KeyboardEvent>(document, 'keydown').pipe(
    filter(({ ctrlKey, metaKey, altKey }) => !ctrlKey && !metaKey && !altKey && !byId<HTMLDialogElement>('help').open),
    mergeMap((event) => (event.target === byId('search') ? searchKey(event) : pageKey(event))),
  );

/** In the search field, only the keys that leave it or go from hit to hit are actions. */
const searchKey = (event: KeyboardEvent): Action[] => {
  const input = byId<HTMLInputElement>('search');
  if (event.key === 'Enter') {
    event.preventDefault();
    return [
      { do: 'search', query: input.value }, // the text as it is now: the actions of typing come a moment later
      { do: 'hit', by: event.shiftKey ? -1 : 1 },
    ];
  }
  if (event.key !== 'Escape') return [];
  event.preventDefault();
  input.value = '';
  byId<SVGSVGElement>('stage').focus();
  return [{ do: 'search', query: '' }];
};

const pageKey = (event: KeyboardEvent): Action[] => [actionOf(event)].filter((action) => action !== undefined);

const actionOf = (event: KeyboardEvent): Action | undefined => {
  const target = event.target instanceof Element ? event.target : document.body;
  const onControl = target.closest('button, summary, input') !== null;
  if ((event.key === 'Enter' || event.key === ' ') && onControl) return undefined;
  if (target.closest('#panel') && /^(ArrowUp|ArrowDown|Home|End)$/.test(event.key)) return undefined;
  if (event.key === '/' || event.key === '?' || event.key === 'd') return special(event);
  if (event.shiftKey && event.key.startsWith('Arrow')) return sideways(event);
  const action = KEYS[event.key];
  if (action) event.preventDefault();
  if (action?.do === 'step' && !target.closest('#panel')) byId<SVGSVGElement>('stage').focus({ preventScroll: true });
  return action;
};

const special = (event: KeyboardEvent): Action | undefined => {
  event.preventDefault();
  if (event.key === 'd') return otherTheme();
  if (event.key === '?') byId<HTMLDialogElement>('help').showModal();
  else byId<HTMLInputElement>('search').select();
  return undefined;
};

const sideways = (event: KeyboardEvent): Action | undefined => {
  const by = { ArrowLeft: -0.5, ArrowRight: 0.5 }[event.key];
  return by === undefined ? undefined : { do: 'pan', px: by * byId('stage').clientWidth };
};

/** The actions of the wheel, and of presses on the stage and on the minimap. */
const pointers = (): Observable<Action> => merge(wheel(), drags(), minimapPresses());

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
  const { marble = undefined, label = marble } =
    target.closest<SVGElement>('[data-marble], [data-label]')?.dataset ?? {};
  if (label !== undefined) return [{ do: 'select', marble: Number(label) }, { do: 'open' }];
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
