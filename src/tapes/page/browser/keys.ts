/** Keys as actions. */
import { filter, fromEvent, map, type Observable } from 'rxjs';
import type { Action } from '../state';
import { ZOOM } from './clicks';
import { byId } from './dom';
import { otherTheme } from './theme';

const isAction = (action: Action | undefined): action is Action => action !== undefined;

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
};

/** The actions of keys, except those meant for the browser itself. */
export const keys = (): Observable<Action> =>
  fromEvent<KeyboardEvent>(document, 'keydown').pipe(
    filter(({ ctrlKey, metaKey, altKey }) => !ctrlKey && !metaKey && !altKey && !byId<HTMLDialogElement>('help').open),
    map((event) => (event.target === byId('search') ? searchKey(event) : pageKey(event))),
    filter(isAction),
  );

/** In the search field, only the keys that leave it or go from hit to hit are actions. */
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
