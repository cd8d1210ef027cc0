/** Makes the table of calls: a row for each call, sorted by a column. */
import { messageIn, toNode } from './json';
import { isOpen, linesOf, type Model, nameOf, OUTCOMES, type Outcome, tookOf } from './model';

/** The columns by which the table can be sorted, in their order. */
export const COLUMNS = ['time', 'name', 'took', 'size', 'state'] as const;
/** A column by which the table can be sorted. */
export type Column = (typeof COLUMNS)[number];

/** How the table is sorted. */
export type Sort = { by: Column; order: 'ascending' | 'descending' };

/** A call. */
export type CallRow = {
  /** The marble of its request. */
  marble: number;
  name: string;
  /** When the request came: ms since the session began. */
  time: number;
  /** ms from the request to its end; undefined if it has none. */
  took: number | undefined;
  /** Characters of the request and of its response. */
  size: number;
  state: Outcome;
};

/** The calls of a session, in the order of their requests. */
export const toCalls = (model: Model): CallRow[] =>
  model.spans.map(([from, to, outcome]) => ({
    marble: from,
    name: nameOf(model, from),
    time: model.marbles.at[from] ?? 0,
    took: isOpen(outcome) ? undefined : tookOf(model, from, to),
    size: sizeOf(model, from) + (to < 0 || isOpen(outcome) ? 0 : sizeOf(model, to)),
    state: OUTCOMES[outcome] ?? 'open',
  }));

const sizeOf = (model: Model, marble: number): number =>
  model.lines.text.slice(...linesOf(model, marble)).reduce((sum, text) => sum + text.length, 0);

/** The rows in the order of a column; rows that are equal there stay in the order of time, and calls without an end are longest. */
export const sortCalls = (rows: readonly CallRow[], { by, order }: Sort): CallRow[] => {
  const sign = order === 'ascending' ? 1 : -1;
  return rows.toSorted((a, b) => sign * compare(a[by] ?? Number.POSITIVE_INFINITY, b[by] ?? Number.POSITIVE_INFINITY));
};

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** The next order of the table: a second click on a column turns it round. Times and sizes begin with the largest. */
export const sortedBy = (sort: Sort, by: Column): Sort => {
  if (sort.by === by) return { by, order: sort.order === 'ascending' ? 'descending' : 'ascending' };
  return { by, order: by === 'took' || by === 'size' ? 'descending' : 'ascending' };
};

/** The arguments of a call in short; '' if it has none. */
export const argumentsOf = ({ lines, marbles }: Model, marble: number): string => {
  const message = messageIn(lines.text[marbles.first[marble] ?? 0] ?? '', marbles.part[marble] ?? -1);
  const { params } = membersOf(message);
  const own = membersOf(params).arguments ?? params;
  const node = own === undefined ? undefined : toNode(own);
  return node?.kind === 'branch' ? node.peek : (node?.text ?? '');
};

const membersOf = (value: unknown): Record<string, unknown> => Object(value) as Record<string, unknown>;
