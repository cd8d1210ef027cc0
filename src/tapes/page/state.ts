/** The state of a page, the actions that change it, and its reducer: the next state after an action. */
import { type Column, type Sort, sortedBy } from './calls';
import { linesOf, type Model, marbleOfLine, nameOf } from './model';
import { type Axis, type Filter, placeOf, type Track, toTrack } from './track';
import { clamped, framing, opening, panned, revealing, type View, whole, zoomed } from './view';

type Theme = 'system' | 'light' | 'dark';

/** The state of a page. */
export type State = {
  filter: Filter;
  track: Track;
  view: View;
  /** A marble. */
  selected: number | undefined;
  /** Its message is shown. */
  open: boolean;
  query: string;
  /** The marbles that the search found. */
  hits: number[];
  theme: Theme;
  /** How the table of calls is sorted; undefined while it is hidden. */
  sort: Sort | undefined;
};

/** The moves of the selection by keys. */
export type Move = 'next' | 'previous' | 'up' | 'down' | 'first' | 'last' | 'partner';

/** What a person does. Pixels are those of the stage. */
export type Action =
  | { do: 'resize'; width: number }
  | { do: 'zoom'; by: number; px?: number }
  | { do: 'pan'; px: number }
  | { do: 'centre'; part: number }
  | { do: 'fit' }
  | { do: 'frame'; first: number; last: number }
  | { do: 'axis' }
  | { do: 'lane'; index: number }
  | { do: 'thread'; index: number }
  | { do: 'all' }
  | { do: 'select'; marble: number }
  | { do: 'step'; to: Move }
  | { do: 'open' }
  | { do: 'close' }
  | { do: 'search'; query: string }
  | { do: 'hit'; by: 1 | -1 }
  | { do: 'error'; by: 1 | -1 }
  | { do: 'line'; number: number }
  | { do: 'calls' }
  | { do: 'sort'; by: Column }
  | { do: 'theme'; theme: Theme };

/** The order in which the table of calls opens. */
export const BY_TIME: Sort = { by: 'time', order: 'ascending' };

/** Hides nothing. */
export const NO_FILTER: Filter = { lanes: new Set(), threads: new Set() };

/** A page as it opens. */
export const openState = (model: Model, width: number): State => {
  const track = toTrack(model, NO_FILTER, model.axis);
  return {
    filter: NO_FILTER,
    track,
    view: opening(track, width),
    selected: undefined,
    open: false,
    query: '',
    hits: [],
    theme: 'system',
    sort: undefined,
  };
};

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
  line: (state, { number }, model) => {
    const marble = marbleOfLine(model, number);
    if (marble === undefined) return state;
    const isHidden = (state.track.rank[marble] ?? -1) < 0;
    const shown = isHidden ? retracked(model, state, { filter: NO_FILTER }) : state;
    return { ...selectMarble(shown, marble), open: true };
  },
  calls: (state) => ({ ...state, sort: state.sort === undefined ? BY_TIME : undefined }),
  sort: (state, { by }) => ({ ...state, sort: sortedBy(state.sort ?? BY_TIME, by) }),
  theme: (state, { theme }) => ({ ...state, theme }),
};

/** The next state. */
export const reduce =
  (model: Model) =>
  (state: State, action: Action): State => {
    const handle = HANDLERS[action.do] as (state: State, action: Action, model: Model) => State;
    return handle(state, action, model);
  };

/** With a column per message, marbles keep their distance, and more or fewer are in view; the selected marble stays in view. */
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

/** The state with another filter or axis, centred on the selected marble, else on the marble that was in the middle. */
const retracked = (model: Model, state: State, change: { filter?: Filter; axis?: Axis }): State => {
  const { filter, axis } = { filter: state.filter, axis: state.track.axis, ...change };
  const track = toTrack(model, filter, axis);
  const { width } = state.view;
  const startsOver = axis !== state.track.axis || state.view.span >= state.track.length;
  const fresh = startsOver ? opening(track, width) : clamped(track, state.view);
  const middle = state.selected ?? middleOf(state);
  const view = clamped(track, { ...fresh, start: placeOf(track, middle) - fresh.span / 2 });
  const isShown = state.selected !== undefined && (track.rank[state.selected] ?? -1) >= 0;
  const hits = search(model, track.shown, state.query);
  return { ...state, filter, track, view, hits, ...(isShown ? {} : { selected: undefined, open: false }) };
};

const middleOf = ({ track, view }: State): number => {
  const middle = view.start + view.span / 2;
  const at = track.xs.findIndex((x) => x >= middle);
  return track.shown[at < 0 ? track.shown.length - 1 : at] ?? 0;
};

const contains = (text: string, needle: string): boolean => text.toLowerCase().includes(needle);

/** The marbles whose name or lines contain the text, ascending; none for an empty text. */
export const search = (model: Model, shown: Int32Array, query: string): number[] => {
  const needle = query.toLowerCase();
  if (needle === '') return [];
  const hits: number[] = [];
  for (const i of shown) {
    const [from, to] = linesOf(model, i);
    let found = contains(nameOf(model, i), needle);
    for (let line = from; !found && line < to; line += 1) found = contains(model.lines.text[line] ?? '', needle);
    if (found) hits.push(i);
  }
  return hits;
};

/** The state with a marble selected and in view; unchanged if there is no marble, or it is hidden. */
export const selectMarble = (state: State, marble: number | undefined): State => {
  const { track, view } = state;
  if (marble === undefined || (track.rank[marble] ?? -1) < 0) return state;
  return { ...state, selected: marble, view: revealing(track, view, placeOf(track, marble)) };
};

/** Zooms in on a cluster; opens its first marble if the view cannot come closer. */
export const frameMarbles = (state: State, { first, last }: { first: number; last: number }): State => {
  const { track, view } = state;
  const [from, to] = [placeOf(track, first), placeOf(track, last)];
  const next = framing(track, view, track.axis === 'ordinal' ? [from - 0.5, to + 0.5] : [from, to]);
  const isCloser = next.span < view.span * 0.99;
  return isCloser ? { ...state, view: next, selected: first } : { ...selectMarble(state, first), open: true };
};

/** The marble that a step leads to; if nothing is selected, the first in view. */
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

/** The marble nearest in time on the next lane above or below with a visible marble. */
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

/** The next or the previous of ascending marbles, counted from the selected marble; after the last comes the first. */
export const nextOf = (marbles: readonly number[], selected: number | undefined, by: 1 | -1): number | undefined => {
  if (selected === undefined) return by > 0 ? marbles[0] : marbles.at(-1);
  const found = by > 0 ? marbles.find((one) => one > selected) : marbles.findLast((one) => one < selected);
  return found ?? (by > 0 ? marbles[0] : marbles.at(-1));
};
