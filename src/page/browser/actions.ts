/** Owns what a person can do: keys, clicks, wheel, fingers, each as an action. */
import {
  debounceTime,
  filter,
  finalize,
  fromEvent,
  fromEventPattern,
  map,
  merge,
  mergeMap,
  type Observable,
  share,
  skipWhile,
  switchMap,
  take,
  takeUntil,
  tap,
} from 'rxjs';
import type { Action, Step } from '../state';
import { isDark } from './bar';
import { byId } from './dom';

/** One wheel notch or key press. */
const ZOOM = 1.35;
const SEARCH_MS = 140;
/** Moved by more than this, a press is a drag. */
const DRAG_PX = 4;

const isAction = (action: Action | undefined): action is Action => action !== undefined;

/** All that is done to the page. */
export const actions = (): Observable<Action> =>
  merge(resizes(), clicks(), checks(), typing(), keys(), wheel(), drags(), minimapPresses());

/** The stage changes with the window, and with the panel beside it. */
const resizes = (): Observable<Action> =>
  fromEventPattern<Action>(
    (tell) => {
      const observer = new ResizeObserver(() => tell({ do: 'resize', width: stageWidth() }));
      observer.observe(byId('stage'));
      return observer;
    },
    (_, observer: ResizeObserver) => observer.disconnect(),
  );

/** Pixels of the stage now. */
export const stageWidth = (): number => Math.max(1, byId('stage').clientWidth);

const STEPS: Record<string, Action> = {
  'zoom-in': { do: 'zoom', by: ZOOM },
  'zoom-out': { do: 'zoom', by: 1 / ZOOM },
  'zoom-fit': { do: 'fit' },
  'hit-next': { do: 'hit', by: 1 },
  'hit-previous': { do: 'hit', by: -1 },
  axis: { do: 'axis' },
  all: { do: 'all' },
};

const clicks = (): Observable<Action> =>
  fromEvent<MouseEvent>(document, 'click').pipe(
    mergeMap(({ target }) => (target instanceof Element ? clicked(target) : [])),
  );

const clicked = (target: Element): Action[] => {
  const button = target.closest<HTMLElement>('button');
  if (!button) return [];
  const { lane, step } = button.dataset;
  if (lane !== undefined) return [{ do: 'lane', index: Number(lane) }];
  if (step !== undefined) return [{ do: 'step', to: step as Step }];
  if (button.dataset.do === 'close') return [{ do: 'close' }];
  if (button.id === 'theme') return [otherTheme()];
  if (button.id === 'keys') byId<HTMLDialogElement>('help').showModal();
  if (button.id === 'help-close') byId<HTMLDialogElement>('help').close();
  const known = STEPS[button.id];
  return known ? [known] : [];
};

const otherTheme = (): Action => ({ do: 'theme', theme: isDark() ? 'light' : 'dark' });

const checks = (): Observable<Action> =>
  fromEvent(byId('threads'), 'change').pipe(
    map(({ target }) => ({ do: 'thread', index: Number((target as HTMLElement).dataset.thread) }) as const),
  );

const typing = (): Observable<Action> => {
  const input = byId<HTMLInputElement>('search');
  return fromEvent(input, 'input').pipe(
    debounceTime(SEARCH_MS),
    map(() => ({ do: 'search', query: input.value }) as const),
  );
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
  p: { do: 'step', to: 'partner' },
  t: { do: 'axis' },
  a: { do: 'all' },
};

const keys = (): Observable<Action> =>
  fromEvent<KeyboardEvent>(document, 'keydown').pipe(
    filter(({ ctrlKey, metaKey, altKey }) => !ctrlKey && !metaKey && !altKey && !byId<HTMLDialogElement>('help').open),
    map((event) => (event.target === byId('search') ? searchKey(event) : pageKey(event))),
    filter(isAction),
  );

/** In the field only the keys that leave it or go from hit to hit. */
const searchKey = (event: KeyboardEvent): Action | undefined => {
  const input = byId<HTMLInputElement>('search');
  if (event.key === 'Enter') {
    event.preventDefault();
    return { do: 'hit', by: event.shiftKey ? -1 : 1 };
  }
  if (event.key !== 'Escape') return undefined;
  event.preventDefault();
  input.value = '';
  byId<SVGSVGElement>('stage').focus();
  return { do: 'search', query: '' };
};

const pageKey = (event: KeyboardEvent): Action | undefined => {
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

/** Up and down is closer and further; sideways, or with Shift, is along. */
const wheel = (): Observable<Action> =>
  fromEvent<WheelEvent>(byId('stage'), 'wheel', { passive: false }).pipe(
    tap((event) => event.preventDefault()),
    map(({ deltaX, deltaY, shiftKey, offsetX }): Action => {
      if (shiftKey || Math.abs(deltaX) > Math.abs(deltaY)) return { do: 'pan', px: deltaX || deltaY };
      return { do: 'zoom', by: Math.exp(-Math.max(-240, Math.min(240, deltaY)) * 0.003), px: offsetX };
    }),
  );

/** What a press on the stage means once it is over, if it was no drag. */
const pressed = (target: Element): Action[] => {
  const marble = target.closest<SVGElement>('[data-marble]')?.dataset.marble;
  if (marble !== undefined) return [{ do: 'select', marble: Number(marble) }, { do: 'open' }];
  const pile = target.closest<SVGElement>('[data-first]')?.dataset;
  return pile ? [{ do: 'frame', first: Number(pile.first), last: Number(pile.last) }] : [];
};

/** One finger or the mouse moves, two fingers zoom; a press that moves little is a click. */
const drags = (): Observable<Action> => {
  const stage = byId<SVGSVGElement>('stage');
  const held = new Map<number, PointerEvent>();
  const move$ = fromEvent<PointerEvent>(window, 'pointermove').pipe(share());
  const up$ = merge(fromEvent<PointerEvent>(window, 'pointerup'), fromEvent<PointerEvent>(window, 'pointercancel'));
  return fromEvent<PointerEvent>(stage, 'pointerdown').pipe(
    filter(({ button }) => button === 0),
    mergeMap((down) => {
      const own = ({ pointerId }: PointerEvent) => pointerId === down.pointerId;
      const isDrag = (now: PointerEvent) =>
        Math.hypot(now.clientX - down.clientX, now.clientY - down.clientY) > DRAG_PX;
      held.set(down.pointerId, down);
      const end$ = up$.pipe(
        filter(own),
        take(1),
        tap(() => held.delete(down.pointerId)),
        share(),
      );
      const drag$ = move$.pipe(
        filter(own),
        skipWhile((now) => !isDrag(now)),
        tap(() => stage.classList.add('dragged')),
        mergeMap((now) => {
          const before = held.get(now.pointerId) ?? down;
          held.set(now.pointerId, now);
          return moved(stage, [...held.values()], before, now);
        }),
        takeUntil(end$),
        finalize(() => stage.classList.remove('dragged')),
      );
      const click$ = end$.pipe(
        filter((up) => up.type === 'pointerup' && !isDrag(up)),
        mergeMap(() => (down.target instanceof Element ? pressed(down.target) : [])),
      );
      return merge(click$, drag$);
    }),
  );
};

const moved = (stage: Element, held: readonly PointerEvent[], before: PointerEvent, now: PointerEvent): Action[] => {
  const other = held.find(({ pointerId }) => pointerId !== now.pointerId);
  if (!other) return [{ do: 'pan', px: before.clientX - now.clientX }];
  const was = Math.max(20, Math.abs(before.clientX - other.clientX));
  const is = Math.max(20, Math.abs(now.clientX - other.clientX));
  const px = (now.clientX + other.clientX) / 2 - stage.getBoundingClientRect().left;
  return [{ do: 'zoom', by: is / was, px }];
};

const minimapPresses = (): Observable<Action> => {
  const map$ = byId<SVGSVGElement>('minimap');
  const toAction = ({ clientX }: PointerEvent): Action => {
    const { left, width } = map$.getBoundingClientRect();
    return { do: 'centre', part: (clientX - left) / Math.max(1, width) };
  };
  return fromEvent<PointerEvent>(map$, 'pointerdown').pipe(
    switchMap((down) =>
      merge(
        [toAction(down)],
        fromEvent<PointerEvent>(window, 'pointermove').pipe(map(toAction), takeUntil(fromEvent(window, 'pointerup'))),
      ),
    ),
  );
};
