/** The data of a page: one block in columns, as a tape may hold 100,000 messages. */
import type { Hue } from './palette';

/** What a lane holds. */
export type Group = Hue;

/** A horizontal line. `key` is short enough for a terminal, `title` is for people. */
export type LaneData = { key: string; title: string; group: Group };

/** What is special about a marble. `odd` is not a message, `end` is an end of input or of the server. */
export const MARKS = ['plain', 'error', 'cancel', 'odd', 'end'] as const;
/** How a marble is drawn. */
export type Mark = (typeof MARKS)[number];

/** How a call ended; `open` when it never did. */
export const OUTCOMES = ['answered', 'failed', 'cancelled', 'open'] as const;
/** How a call ended, as the page shows it. */
export type Outcome = (typeof OUTCOMES)[number];

/**
 * A tape. All of `marbles` are columns, one item per marble, in order of time:
 *   at, until   ms since the session began; never goes back
 *   lane, name, thread   indexes; thread -1 for none
 *   symbol      all letters in one text
 *   mark        index into MARKS
 *   first, count         which lines it stands for: `count` lines from `first` on
 *   part        which message of a batch it is, -1 for the whole line
 * `spans` are calls: marble of the request, marble of its end or -1, index into OUTCOMES, tier 0… where they overlap.
 * `ends` are the marbles where the client's input and the server ended, -1 for an end that was not recorded.
 * `lines` are columns too, `t` in ms; `number` counts the lines of the file.
 */
export type PageData = {
  title: string;
  axis: 'ordinal' | 'linear';
  facts: [label: string, text: string][];
  lanes: LaneData[];
  threads: string[];
  names: string[];
  marbles: {
    at: number[];
    until: number[];
    lane: number[];
    name: number[];
    thread: number[];
    symbol: string;
    mark: number[];
    first: number[];
    count: number[];
    part: number[];
  };
  spans: [from: number, to: number, outcome: number, tier: number][];
  ends: { client: number; server: number };
  lines: { t: number[]; dir: string[]; number: number[]; text: string[] };
};
