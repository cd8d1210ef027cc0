/** Clicks on buttons and boxes as actions. */
import { fromEvent, map, merge, mergeMap, type Observable } from 'rxjs';
import type { Action, Move } from '../state';
import { byId } from './dom';
import { otherTheme } from './theme';

/** The factor by which one press zooms. */
export const ZOOM = 1.35;

const STEPS: Record<string, Action> = {
  'zoom-in': { do: 'zoom', by: ZOOM },
  'zoom-out': { do: 'zoom', by: 1 / ZOOM },
  'zoom-fit': { do: 'fit' },
  'hit-next': { do: 'hit', by: 1 },
  'hit-previous': { do: 'hit', by: -1 },
  errors: { do: 'error', by: 1 },
  axis: { do: 'axis' },
  all: { do: 'all' },
};

/** The actions of buttons, and of the boxes of threads. */
export const clicks = (): Observable<Action> =>
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
  const { lane, step } = button.dataset;
  if (lane !== undefined) return [{ do: 'lane', index: Number(lane) }];
  if (step !== undefined) return [{ do: 'step', to: step as Move }];
  if (button.dataset.do === 'close') return [{ do: 'close' }];
  if (button.id === 'theme') return [otherTheme()];
  if (button.id === 'keys') byId<HTMLDialogElement>('help').showModal();
  if (button.id === 'help-close') byId<HTMLDialogElement>('help').close();
  const known = STEPS[button.id];
  return known ? [known] : [];
};
