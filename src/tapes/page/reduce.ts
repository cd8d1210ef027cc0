/** The reducer of a page: the next state after an action. */
import type { Model } from './model';
import { search } from './search';
import { frameMarbles, nextOf, selectMarble, stepFrom } from './selectMarble';
import { type Action, NO_FILTER, type State } from './state';
import { type Axis, type Filter, placeOf, toTrack } from './track';
import { clamped, opening, panned, revealing, type View, whole, zoomed } from './view';

type Handlers = {
  [Kind in Action['do']]: (state: State, action: Extract<Action, { do: Kind }>, model: Model) => State;
};

const HANDLERS: Handlers = {
  resize: (state, { width }) => ({ ...state, view: resized(state, width) }),
  zoom: (state, zoom) => ({ ...state, view: zoomed(state.track, state.view, zoom) }),
  pan: (state, { px }) => ({ ...state, view: panned(state.track, state.view, px) }),
  centre: (state, { part }) => ({ ...state, view: centredAt(state, part * state.track.length) }),
  fit: (state) => ({ ...state, view: whole(state.track, state.view.width) }),
  frame: (state, clusters) => frameMarbles(state, clusters),
  axis: (state, _, model) => retracked(model, state, { axis: state.track.axis === 'ordinal' ? 'linear' : 'ordinal' }),
  lane: (state, { index }, model) => {
    const lanes = toggled(state.filter.lanes, index);
    return retracked(model, state, { filter: { ...state.filter, lanes } });
  },
  thread: (state, { index }, model) => {
    const threads = toggled(state.filter.threads, index);
    return retracked(model, state, { filter: { ...state.filter, threads } });
  },
  all: (state, _, model) => retracked(model, state, { filter: NO_FILTER }),
  select: (state, { marble }) => selectMarble(state, marble),
  step: (state, { to }, model) => selectMarble(state, stepFrom(model, state, to)),
  open: (state) => ({ ...state, open: state.selected !== undefined }),
  close: (state) => (state.open ? { ...state, open: false } : { ...state, selected: undefined }),
  search: (state, { query }, model) => ({ ...state, query, hits: search(model, state.track.shown, query) }),
  hit: (state, { by }) => selectMarble(state, nextOf(state.hits, state.selected, by)),
  error: (state, { by }, { errors }) => {
    const next = nextOf(
      errors.filter((marble) => (state.track.rank[marble] ?? -1) >= 0),
      state.selected,
      by,
    );
    return next === undefined ? state : { ...selectMarble(state, next), open: true };
  },
  theme: (state, { theme }) => ({ ...state, theme }),
};

/** The next state. */
export const reduce =
  (model: Model) =>
  (state: State, action: Action): State => {
    const handle = HANDLERS[action.do] as (state: State, action: Action, model: Model) => State;
    return handle(state, action, model);
  };

/** By order, marbles keep their distance, and more or fewer of them are in view; the selected one stays in view. */
const resized = ({ track, view, selected }: State, width: number): View => {
  const span = track.axis === 'ordinal' ? (view.span * width) / view.width : view.span;
  const next = clamped(track, { ...view, span, width });
  return selected === undefined ? next : revealing(track, next, placeOf(track, selected));
};

const centredAt = ({ track, view }: State, x: number): View => clamped(track, { ...view, start: x - view.span / 2 });

const toggled = (hidden: ReadonlySet<number>, index: number): ReadonlySet<number> => {
  const next = new Set(hidden);
  if (!next.delete(index)) next.add(index);
  return next;
};

/** The state with another filter or axis, centred on the selected marble, else on the one that was in the middle. */
const retracked = (model: Model, state: State, change: { filter?: Filter; axis?: Axis }): State => {
  const { filter, axis } = { filter: state.filter, axis: state.track.axis, ...change };
  const track = toTrack(model, filter, axis);
  const { width } = state.view;
  const opensAnew = axis !== state.track.axis || state.view.span >= state.track.length;
  const fresh = opensAnew ? opening(track, width) : clamped(track, state.view);
  const middle = state.selected ?? middleOf(state);
  const view = clamped(track, { ...fresh, start: placeOf(track, middle) - fresh.span / 2 });
  const isShown = state.selected !== undefined && (track.rank[state.selected] ?? -1) >= 0;
  const hits = search(model, track.shown, state.query);
  return { ...state, filter, track, view, hits, ...(isShown ? {} : { selected: undefined, open: false }) };
};

/** The marble in the middle of the view. */
const middleOf = ({ track, view }: State): number => {
  const middle = view.start + view.span / 2;
  const at = track.xs.findIndex((x) => x >= middle);
  return track.shown[at < 0 ? track.shown.length - 1 : at] ?? 0;
};
