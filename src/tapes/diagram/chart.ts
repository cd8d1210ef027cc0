/** The shapes of a picture of a session, the same for a terminal, an SVG and a page. */
import type { NumberedEntry } from '../format/tape';
import type { Group, LaneData, Mark, Outcome, StoryData } from '../page/model';

/** One marble: a message, or a run of deltas. Times never go back. */
export type ChartMarble = {
  atMs: number;
  /** The time of its last message. */
  untilMs: number;
  lane: number;
  symbol: string;
  name: string;
  mark: Mark;
  /** Its first entry in the chart. */
  first: number;
  /** How many entries it stands for. */
  count: number;
  /** Its place in a batch. */
  part?: number;
  /** An index; undefined if it belongs to no thread. */
  thread?: number;
};

/** A call. */
export type Span = {
  /** The marble of its request. */
  from: number;
  /** The marble of its end. */
  to?: number;
  outcome: Outcome;
  /** Overlapping calls of one lane have different tiers. */
  tier: number;
};

/** Marbles at which the client's input and the server end. */
export type Ends = { client?: number; server?: number };

/** The picture of a session. */
export type Chart = {
  /** Without blank entries. Each is in one marble, a batch in one marble for each message. */
  entries: readonly NumberedEntry[];
  lanes: LaneData[];
  marbles: ChartMarble[];
  spans: Span[];
  threads: readonly string[];
  ends: Ends;
  /** What is known of the session. */
  facts: [label: string, text: string][];
  /** Of a picture of several sessions. */
  story?: StoryData;
};

/** A letter that is chosen for a name, small or capital, or a sign that is the same everywhere. */
export type Sign = { kind: 'letter'; of: string; size: 'small' | 'capital' } | { kind: 'fixed'; text: string };

/** How one message looks before lanes and letters are chosen. */
export type Look = {
  group: Group;
  key: string;
  sign: Sign;
  name: string;
  mark: Mark;
  /** Successive marbles of one run become one marble. */
  run?: string;
};

/** A message, or an entry without messages, with its look. */
export type Drawn = {
  look: Look;
  entry: number;
  t: number;
  part?: number;
  /** An index into the messages of the session. */
  message?: number;
  thread?: number;
};
