/** The shapes of a picture of a session, the same for a terminal, an SVG and a page. */

import type { NumberedEntry } from '../format/tape';
import type { Group, LaneData, Mark, Outcome } from '../page/data';

/**
 * One marble: a message, or a run of deltas. It stands for `count` of the chart's entries from `first` on; `part` is its
 * place in a batch. `atMs` to `untilMs` never go back. `thread` is an index, absent when it belongs to none.
 */
export type ChartMarble = {
  atMs: number;
  untilMs: number;
  lane: number;
  symbol: string;
  name: string;
  mark: Mark;
  first: number;
  count: number;
  part?: number;
  thread?: number;
};

/** A call: the marbles of its request and of its end, and how it ended. Calls of one lane that overlap have different tiers. */
export type Span = { from: number; to?: number; outcome: Outcome; tier: number };

/** Marbles at which the client's input and the server end. */
export type Ends = { client?: number; server?: number };

/**
 * `entries` are those of the session that are not blank; each is in the marbles once, a batch once for each message.
 * `facts` are what is known of the session, as label and text.
 */
export type Chart = {
  entries: readonly NumberedEntry[];
  lanes: LaneData[];
  marbles: ChartMarble[];
  spans: Span[];
  threads: readonly string[];
  ends: Ends;
  facts: [label: string, text: string][];
};

/** A letter that is chosen for a name, small or capital, or a sign that is the same everywhere. */
export type Sign = { kind: 'letter'; of: string; size: 'small' | 'capital' } | { kind: 'fixed'; text: string };

/** How one message looks before lanes and letters are chosen. Marbles of one `run` that follow each other become one. */
export type Look = { group: Group; key: string; sign: Sign; name: string; mark: Mark; run?: string };

/** A message, or an entry that holds none, with its look. `message` and `seamCall` are indices into those of the session. */
export type Drawn = {
  look: Look;
  entry: number;
  t: number;
  part?: number;
  message?: number;
  thread?: number;
};
