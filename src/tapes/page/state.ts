/** The state of a page, and the actions that change it. */
import type { Column, Sort } from './calls';
import type { Model } from './model';
import { type Filter, type Track, toTrack } from './track';
import { opening, type View } from './view';

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
