/** Selects marbles: steps between them, and goes from hit to hit and from error to error. */
import type { Model } from './model';
import type { Move, State } from './state';
import { placeOf } from './track';
import { framing, revealing } from './view';

/** The state with a marble selected and in view; unchanged where there is none, or it is hidden. */
export const selectMarble = (state: State, marble: number | undefined): State => {
  const { track, view } = state;
  if (marble === undefined || (track.rank[marble] ?? -1) < 0) return state;
  return { ...state, selected: marble, view: revealing(track, view, placeOf(track, marble)) };
};

/** Zooms in on a cluster; opens its first marble where the view cannot come closer. */
export const frameMarbles = (state: State, { first, last }: { first: number; last: number }): State => {
  const { track, view } = state;
  const [from, to] = [placeOf(track, first), placeOf(track, last)];
  const next = framing(track, view, track.axis === 'ordinal' ? [from - 0.5, to + 0.5] : [from, to]);
  const isCloser = next.span < view.span * 0.99;
  return isCloser ? { ...state, view: next, selected: first } : { ...selectMarble(state, first), open: true };
};

/** The marble that a step leads to; with nothing selected, the first in view. */
export const stepFrom = (model: Model, { track, selected, view }: State, to: Move): number | undefined => {
  const { shown, rank, xs } = track;
  if (to === 'first') return shown[0];
  if (to === 'last') return shown[shown.length - 1];
  if (selected === undefined) {
    const firstSeen = xs.findIndex((x) => x >= view.start);
    return shown[Math.max(0, firstSeen)];
  }
  if (to === 'partner') return model.partner[selected];
  if (to === 'up' || to === 'down') return nearest(model, { track, selected }, to === 'up' ? -1 : 1);
  return shown[(rank[selected] ?? 0) + (to === 'next' ? 1 : -1)];
};

/** The marble nearest in time on the next lane above or below that has one shown. */
const nearest = (
  { marbles, lanes }: Model,
  { track: { shown, rank }, selected }: Pick<State, 'track'> & { selected: number },
  by: 1 | -1,
): number | undefined => {
  const own = rank[selected] ?? 0;
  for (let lane = (marbles.lane[selected] ?? 0) + by; lane >= 0 && lane < lanes.length; lane += by) {
    for (let far = 1; own - far >= 0 || own + far < shown.length; far += 1) {
      const found = [shown[own - far], shown[own + far]].find((i) => i !== undefined && marbles.lane[i] === lane);
      if (found !== undefined) return found;
    }
  }
  return undefined;
};

/** The next or the previous of ascending marbles, counted from the selected one; after the last comes the first. */
export const nextOf = (marbles: readonly number[], selected: number | undefined, by: 1 | -1): number | undefined => {
  if (selected === undefined) return by > 0 ? marbles[0] : marbles.at(-1);
  const found = by > 0 ? marbles.find((one) => one > selected) : marbles.findLast((one) => one < selected);
  return found ?? (by > 0 ? marbles[0] : marbles.at(-1));
};
