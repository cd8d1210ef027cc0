/** The state of a page, and the actions that change it. */
import type { Model } from './model';
import { type Filter, type Track, toTrack } from './track';
import { opening, type View } from './view';

/** The colours of the page. */
export type Theme = 'system' | 'light' | 'dark';

/** `selected` is a marble, `open` whether its message is shown. `hits` are the marbles that the search found. */
export type State = {
  filter: Filter;
  track: Track;
  view: View;
  selected: number | undefined;
  open: boolean;
  query: string;
  hits: number[];
  theme: Theme;
};

/** Where the keys of the keyboard move the selection. */
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
  | { do: 'theme'; theme: Theme };

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
  };
};
