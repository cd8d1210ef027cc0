/** The model of a page: the columns of a tape, pairs of requests and responses, how many marbles lanes and threads have. */
import { MARKS, type PageData } from './data';

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
