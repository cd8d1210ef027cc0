/** Owns what a page shows and how each thing that is done to it changes that. */
import type { Model } from './model';
import { search } from './search';
import { type Axis, type Filter, placeOf, type Track, toTrack } from './track';
import { clamped, framing, opening, panned, revealing, type View, whole, zoomed } from './view';

export type Theme = 'system' | 'light' | 'dark';

/** `selected` is a marble, `open` whether its message is shown. `hits` are marbles that the search found. */
export type State = {
  axis: Axis;
  filter: Filter;
  track: Track;
  view: View;
  selected: number | undefined;
  open: boolean;
  query: string;
  hits: number[];
  theme: Theme;
};

export type Step = 'next' | 'previous' | 'up' | 'down' | 'first' | 'last' | 'partner';

/** What a person does. Pixels are those of the stage. */
export type Action =
  | { do: 'resize'; width: number }
  | { do: 'zoom'; by: number; px?: number }
  | { do: 'pan'; px: number }
  | { do: 'centre'; part: number }
  | { do: 'fit' }
  | { do: 'frame'; first: number; last: number }
  | { do: 'axis' }
  | { do: 'lane' | 'thread'; index: number }
  | { do: 'all' }
  | { do: 'select'; marble: number }
  | { do: 'step'; to: Step }
  | { do: 'open' }
  | { do: 'close' }
  | { do: 'search'; query: string }
  | { do: 'hit'; by: 1 | -1 }
  | { do: 'theme'; theme: Theme };

const NOTHING: Filter = { lanes: new Set(), threads: new Set() };

/** A page as it opens. */
export const openState = (model: Model, width: number): State => {
  const track = toTrack(model, NOTHING, model.axis);
  const view = opening(track, model.axis, width);
  const rest = { selected: undefined, open: false, query: '', hits: [], theme: 'system' } as const;
  return { axis: model.axis, filter: NOTHING, track, view, ...rest, hits: [] };
};

/** The next state. */
export const reduce =
  (model: Model) =>
  (state: State, action: Action): State => {
    const { track, axis, view } = state;
    switch (action.do) {
      case 'resize':
        return { ...state, view: resized(state, action.width) };
      case 'zoom':
        return { ...state, view: zoomed(track, axis, view, action.by, action.px) };
      case 'pan':
        return { ...state, view: panned(track, axis, view, action.px) };
      case 'centre':
        return { ...state, view: clamped(track, axis, { ...view, start: action.part * track.length - view.span / 2 }) };
      case 'fit':
        return { ...state, view: whole(track, axis, view.width) };
      case 'frame':
        return framed(state, action.first, action.last);
      case 'axis':
        return changed(model, state, state.filter, axis === 'ordinal' ? 'linear' : 'ordinal');
      case 'lane':
      case 'thread':
        return changed(model, state, toggled(state.filter, action), axis);
      case 'all':
        return changed(model, state, NOTHING, axis);
      case 'select':
        return selecting(state, action.marble);
      case 'step':
        return selecting(state, stepped(model, state, action.to));
      case 'open':
        return { ...state, open: state.selected !== undefined };
      case 'close':
        return state.open ? { ...state, open: false } : { ...state, selected: undefined };
      case 'search':
        return { ...state, query: action.query, hits: search(model, track.shown, action.query) };
      case 'hit':
        return selecting(state, nextHit(state, action.by));
      case 'theme':
        return { ...state, theme: action.theme };
    }
  };

/** By order more or less is seen and marbles keep their distance; what is selected stays in sight. */
const resized = ({ track, axis, view, selected }: State, width: number): View => {
  const span = axis === 'ordinal' ? (view.span * width) / view.width : view.span;
  const next = clamped(track, axis, { ...view, span, width });
  return selected === undefined ? next : revealing(track, axis, next, placeOf(track, selected));
};

const toggled = (filter: Filter, action: { do: 'lane' | 'thread'; index: number }): Filter => {
  const toggle = (set: ReadonlySet<number>): ReadonlySet<number> => {
    const next = new Set(set);
    if (!next.delete(action.index)) next.add(action.index);
    return next;
  };
  return action.do === 'lane'
    ? { ...filter, lanes: toggle(filter.lanes) }
    : { ...filter, threads: toggle(filter.threads) };
};

/** What was in the middle stays there. */
const changed = (model: Model, state: State, filter: Filter, axis: Axis): State => {
  const track = toTrack(model, filter, axis);
  const width = state.view.width;
  const middle = state.selected ?? middleOf(state);
  const anew = axis !== state.axis || state.view.span >= state.track.length;
  const fresh = anew ? opening(track, axis, width) : clamped(track, axis, state.view);
  const view = clamped(track, axis, { ...fresh, start: placeOf(track, middle) - fresh.span / 2 });
  const kept = state.selected !== undefined && (track.rank[state.selected] ?? -1) >= 0;
  const hits = search(model, track.shown, state.query);
  return { ...state, filter, axis, track, view, hits, ...(kept ? {} : { selected: undefined, open: false }) };
};

const middleOf = ({ track, view }: State): number => {
  const middle = view.start + view.span / 2;
  const at = track.xs.findIndex((x) => x >= middle);
  return track.shown[at < 0 ? track.shown.length - 1 : at] ?? 0;
};

const framed = (state: State, first: number, last: number): State => {
  const { track, axis, view } = state;
  const [from, to] = [placeOf(track, first), placeOf(track, last)];
  const next = framing(track, axis, view, axis === 'ordinal' ? [from - 0.5, to + 0.5] : [from, to]);
  const closer = next.span < view.span * 0.99;
  return closer ? { ...state, view: next, selected: first } : { ...selecting(state, first), open: true };
};

const selecting = (state: State, marble: number | undefined): State => {
  if (marble === undefined || (state.track.rank[marble] ?? -1) < 0) return state;
  const view = revealing(state.track, state.axis, state.view, placeOf(state.track, marble));
  return { ...state, selected: marble, view };
};

const stepped = (model: Model, { track, selected, view }: State, to: Step): number | undefined => {
  const { shown, rank } = track;
  if (to === 'first') return shown[0];
  if (to === 'last') return shown[shown.length - 1];
  if (selected === undefined)
    return shown[
      Math.max(
        0,
        track.xs.findIndex((x) => x >= view.start),
      )
    ];
  if (to === 'partner') return model.partner[selected];
  if (to === 'up' || to === 'down') return nearest(model, track, selected, to === 'up' ? -1 : 1);
  return shown[(rank[selected] ?? 0) + (to === 'next' ? 1 : -1)];
};

/** The marble nearest in time on the next lane above or below that has one shown. */
const nearest = ({ marbles, lanes }: Model, { shown, rank }: Track, from: number, by: 1 | -1): number | undefined => {
  const own = rank[from] ?? 0;
  for (let lane = (marbles.lane[from] ?? 0) + by; lane >= 0 && lane < lanes.length; lane += by) {
    for (let far = 1; own - far >= 0 || own + far < shown.length; far += 1) {
      for (const at of [own - far, own + far]) {
        const i = shown[at];
        if (i !== undefined && marbles.lane[i] === lane) return i;
      }
    }
  }
  return undefined;
};

const nextHit = ({ hits, selected }: State, by: 1 | -1): number | undefined => {
  if (selected === undefined) return by > 0 ? hits[0] : hits.at(-1);
  const found = by > 0 ? hits.find((hit) => hit > selected) : hits.findLast((hit) => hit < selected);
  return found ?? (by > 0 ? hits[0] : hits.at(-1));
};
