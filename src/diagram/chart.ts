/** Owns the shapes of a picture of a session, the same for a terminal, an SVG and a page. How it is made is not here. */
import type { Group, LaneData, Mark, Outcome } from '../page';
import type { NumberedEntry } from '../tape';

/**
 * One marble: a message, or a run of pieces. It stands for `count` of the chart's entries from `first` on; `word` is its
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
  word?: number;
  thread?: number;
};

/** A call: the marble that asks, the one that ends it, and how. Calls of one lane that overlap have different tiers. */
export type Span = { from: number; to?: number; outcome: Outcome; tier: number };

/** `entries` are those of the session that are not blank; each is in the marbles once, a batch once for each message. */
export type Chart = {
  entries: NumberedEntry[];
  lanes: LaneData[];
  marbles: ChartMarble[];
  spans: Span[];
  threads: string[];
  /** Marbles at which the client's input and the server end; `ok` is false for a server that did not end well. */
  ends: { client?: number; server?: number; ok: boolean };
};

/** How one message looks before lanes are counted. Marbles of one `run` that follow each other become one. */
export type Look = { group: Group; key: string; symbol: string; name: string; mark: Mark; run?: string };
