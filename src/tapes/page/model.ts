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
  /** Columns; `t` in ms, `number` is the line of the file; of several files, it counts the lines of all. */
  lines: { t: number[]; dir: string[]; number: number[]; text: string[] };
  /** Of several tapes. */
  story?: StoryData;
};

/** Several sessions on one time line. */
export type StoryData = {
  /** The time 0 of the picture, in ms since 1970. */
  originMs: number;
  /** The names of the tapes. */
  tapes: string[];
  /** By entry: an index into `tapes`. */
  tape: number[];
  /** By entry: its line on that tape. */
  number: number[];
  /** From the marble of an agent's call to the marble of the same call on the tape of its server. */
  links: (readonly [from: number, to: number])[];
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
  /** From how many ms on a call stands out as slow. */
  slowMs: number;
  /** The last item counts marbles of no thread. */
  threadCounts: number[];
};

/** Makes the model from the data of a page. */
export const toModel = (data: PageData): Model => {
  const size = data.marbles.at.length;
  const partner = new Int32Array(size).fill(-1);
  for (const [from, to, outcome] of data.spans) {
    if (to < 0 || isOpen(outcome)) continue;
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
  const slowMs = slowFrom(
    data.spans.flatMap(([from, to, outcome]) => (isOpen(outcome) ? [] : (tookOf(data, from, to) ?? []))),
  );
  return { ...data, size, errors, partner, laneCounts, threadCounts, slowMs };
};

/** Whether a call was never answered. In a story its span ends with its session. */
export const isOpen = (outcome: number): boolean => OUTCOMES[outcome] === 'open';

/** ms from the marble of a request to the end of its call; undefined if it has none. */
export const tookOf = ({ marbles }: PageData, from: number, to: number): number | undefined =>
  to < 0 ? undefined : (marbles.until[to] ?? 0) - (marbles.at[from] ?? 0);

/** A call that takes less is never slow, in ms. */
const SLOW_MS = 1000;
/** A slow call takes this many times as long as the call in the middle. */
const TIMES_MIDDLE = 4;

const slowFrom = (took: readonly number[]): number => {
  const middle = took.toSorted((a, b) => a - b)[Math.floor((took.length - 1) / 2)] ?? 0;
  return took.length < TIMES_MIDDLE ? SLOW_MS : Math.max(SLOW_MS, middle * TIMES_MIDDLE);
};

/** The lines that a marble stands for, as indexes. */
export const linesOf = ({ marbles }: Model, i: number): readonly [from: number, to: number] => {
  const first = marbles.first[i] ?? 0;
  return [first, first + (marbles.count[i] ?? 1)];
};

/** A line as a person names it: by its number, and by its tape if there are several. */
export const lineName = ({ lines, story }: PageData, line: number): string =>
  story === undefined ? `line ${lines.number[line]}` : `${story.tapes[story.tape[line] ?? -1]}:${story.number[line]}`;

/** The other ends of the links of a marble. */
export const linkedTo = ({ story }: PageData, marble: number): number[] =>
  (story?.links ?? []).flatMap(([from, to]) => {
    if (from === marble) return [to];
    return to === marble ? [from] : [];
  });

/** The name of a marble, '' if it has none. */
export const nameOf = ({ names, marbles }: Model, i: number): string => names[marbles.name[i] ?? -1] ?? '';

/** The marble that stands for a line of the file, the first one of a batch; undefined if the line is not drawn. */
export const marbleOfLine = (model: Model, number: number): number | undefined => {
  const line = model.lines.number.indexOf(number);
  const marble = model.marbles.first.findLastIndex((first) => first <= line);
  const [from, to] = linesOf(model, marble);
  return line < from || line >= to ? undefined : model.marbles.first.indexOf(from);
};
