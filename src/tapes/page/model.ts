/** The data of a page, one block in columns as a tape may hold 100,000 messages; and the model that is made of it. */
import type { Hue } from './palette';

/** What a lane holds. */
export type Group = Hue;

/** A horizontal line. */
export type LaneData = {
  /** Short enough for a terminal. */
  key: string;
  /** For people. */
  title: string;
  group: Group;
};

/** What is special about a marble. `odd` is no message, `end` is the end of the input or of the server. */
export const MARKS = ['plain', 'error', 'cancel', 'odd', 'end'] as const;
/** How a marble is drawn. */
export type Mark = (typeof MARKS)[number];

/** How a call ended; `open` if it never did. */
export const OUTCOMES = ['answered', 'failed', 'cancelled', 'open'] as const;
/** How a call ended, as the page shows it. */
export type Outcome = (typeof OUTCOMES)[number];

/** A tape. */
export type PageData = {
  title: string;
  axis: 'ordinal' | 'linear';
  facts: [label: string, text: string][];
  lanes: LaneData[];
  threads: string[];
  names: string[];
  /** Columns: an item per marble, in order of time. */
  marbles: {
    /** ms since the session began; never goes back. */
    at: number[];
    /** ms since the session began; never goes back. */
    until: number[];
    /** Index. */
    lane: number[];
    /** Index. */
    name: number[];
    /** Index, -1 for none. */
    thread: number[];
    /** All letters in one text. */
    symbol: string;
    /** Index into MARKS. */
    mark: number[];
    /** Its first line. */
    first: number[];
    /** How many lines it stands for. */
    count: number[];
    /** Its place in a batch, -1 for a whole line. */
    part: number[];
  };
  /** Calls: the marble of the request, the marble of its end or -1, an index into OUTCOMES, a tier if calls overlap. */
  spans: [from: number, to: number, outcome: number, tier: number][];
  /** The marbles where the client's input and the server ended, -1 if that was not recorded. */
  ends: { client: number; server: number };
  /** Columns; `t` in ms, `number` is the line of the file. */
  lines: { t: number[]; dir: string[]; number: number[]; text: string[] };
};

/** What a page knows of its tape. */
export type Model = PageData & {
  /** How many marbles there are. */
  size: number;
  /** By marble: the marble that answers it, or that it answers; -1 for none. */
  partner: Int32Array;
  /** The marbles that are errors, ascending. */
  errors: number[];
  laneCounts: number[];
  /** The last item counts marbles of no thread. */
  threadCounts: number[];
};

/** Makes the model from the data of a page. */
export const toModel = (data: PageData): Model => {
  const size = data.marbles.at.length;
  const partner = new Int32Array(size).fill(-1);
  for (const [from, to] of data.spans) {
    if (to < 0) continue;
    partner[from] = to;
    if (partner[to] === -1) partner[to] = from;
  }
  const laneCounts = data.lanes.map(() => 0);
  const threadCounts = [...data.threads, 'none'].map(() => 0);
  data.marbles.lane.forEach((lane, i) => {
    const thread = data.marbles.thread[i] ?? -1;
    laneCounts[lane] = (laneCounts[lane] ?? 0) + 1;
    const at = thread < 0 ? data.threads.length : thread;
    threadCounts[at] = (threadCounts[at] ?? 0) + 1;
  });
  const errors = data.marbles.mark.flatMap((mark, i) => (MARKS[mark] === 'error' ? [i] : []));
  return { ...data, size, errors, partner, laneCounts, threadCounts };
};

/** The lines that a marble stands for, as indexes. */
export const linesOf = ({ marbles }: Model, i: number): readonly [from: number, to: number] => {
  const first = marbles.first[i] ?? 0;
  return [first, first + (marbles.count[i] ?? 1)];
};

/** The name of a marble, '' if it has none. */
export const nameOf = ({ names, marbles }: Model, i: number): string => names[marbles.name[i] ?? -1] ?? '';
