/** Shows a card at the marble below the pointer. */
import { distinctUntilChanged, fromEvent, map, merge, type Observable, of, switchMap, tap, timer } from 'rxjs';
import { type HoverText, hoverOfCluster, hoverOfMarble } from '../contents';
import type { Model } from '../model';
import { byId, html } from './dom';

const DELAY_MS = 90;
/** Pixels between the marble and the card. */
const GAP = 10;

/** Shows and hides the card as the mouse moves. A finger opens the panel, so it needs no card. */
export const hovers = (model: Model): Observable<unknown> => {
  const stage = byId<SVGSVGElement>('stage');
  const over$ = fromEvent<PointerEvent>(stage, 'pointerover').pipe(
    map(({ target, pointerType }) => (pointerType === 'mouse' && target instanceof Element ? marbleAt(target) : null)),
  );
  const out$ = merge(fromEvent(stage, 'pointerleave'), fromEvent(stage, 'pointerdown')).pipe(map(() => null));
  return merge(over$, out$).pipe(
    distinctUntilChanged(),
    tap(hideCard),
    switchMap((marble) => (marble === null ? of(null) : timer(DELAY_MS).pipe(map(() => marble)))),
    tap((marble) => marble?.isConnected && showCard(textOf(model, marble), marble.getBoundingClientRect())),
  );
};

const marbleAt = (target: Element): SVGElement | null => target.closest<SVGElement>('[data-marble], [data-first]');

const textOf = (model: Model, { dataset }: SVGElement): HoverText => {
  if (dataset.marble !== undefined) return hoverOfMarble(model, Number(dataset.marble));
  const first = Number(dataset.first);
  return hoverOfCluster(model, { first, last: Number(dataset.last), lane: model.marbles.lane[first] ?? 0 });
};

/** Hides the card; after a redraw its marble may be elsewhere. */
export const hideCard = (): void => {
  byId('card').hidden = true;
};

/** Below the marble, or above it if there is no room. */
const showCard = ({ title, lines, preview }: HoverText, { left, top, bottom, width }: DOMRect): void => {
  const card = byId('card');
  card.replaceChildren(
    html('b', {}, title),
    ...lines.map((line) => html('div', { class: 'quiet' }, line)),
    ...(preview === '' ? [] : [html('p', {}, preview)]),
  );
  card.hidden = false;
  const { innerWidth, innerHeight } = window;
  const { offsetWidth, offsetHeight } = card;
  const isBelow = bottom + GAP + offsetHeight <= innerHeight;
  card.style.left = `${Math.max(8, Math.min(left + width / 2 - offsetWidth / 2, innerWidth - offsetWidth - 8))}px`;
  card.style.top = `${isBelow ? bottom + GAP : Math.max(8, top - GAP - offsetHeight)}px`;
};
