/** Writes what the card at a marble or a cluster below the pointer shows. */
import { contentsOf } from './contents';
import { messageIn, toNode } from './json';
import { toMoment, toTime } from './labels';
import { lineName, linesOf, type Model, nameOf } from './model';

/** What a card shows. */
export type HoverText = {
  title: string;
  /** Short facts. */
  lines: string[];
  /** The beginning of the message. */
  preview: string;
};

const MAX_PREVIEW = 280;
const MAX_NAMES = 5;
const MAX_COUNTED = 5000;

/** The card of one marble: when it came, how long its call took, how its message begins. */
export const hoverOfMarble = (model: Model, i: number): HoverText => {
  const { marbles, lanes, partner } = model;
  const [from, to] = linesOf(model, i);
  const other = partner[i] ?? -1;
  const tookMs = Math.abs((marbles.at[other] ?? 0) - (marbles.at[i] ?? 0));
  const facts = [
    lanes[marbles.lane[i] ?? 0]?.title ?? '',
    `at ${toMoment(marbles.at[i] ?? 0, model.story?.originMs)}`,
    ...(other < 0 ? [] : [other > i ? `answered after ${toTime(tookMs)}` : `took ${toTime(tookMs)}`]),
    to - from > 1 ? `${to - from} messages` : lineName(model, from),
  ];
  return { title: nameOf(model, i), lines: [facts.join(' · ')], preview: previewOf(model, i, from) };
};

const previewOf = ({ lines, marbles }: Model, i: number, line: number): string => {
  const text = lines.text[line] ?? '';
  const value = messageIn(text, marbles.part[i] ?? -1);
  if (value === undefined) return cut(text);
  const first = contentsOf(value).find(({ kind }) => kind !== 'image');
  const { result, params, error } = (typeof value === 'object' && value !== null ? value : {}) as Record<
    string,
    unknown
  >;
  const node = toNode(error ?? result ?? params ?? ('method' in Object(value) ? {} : value));
  return cut(first && 'text' in first ? first.text : node.kind === 'branch' ? node.peek : node.text);
};

const cut = (text: string): string => (text.length > MAX_PREVIEW ? `${text.slice(0, MAX_PREVIEW)}…` : text);

/** The card of a cluster: its names with their counts, the most frequent first. */
export const hoverOfCluster = (
  model: Model,
  { first, last, lane }: { first: number; last: number; lane: number },
): HoverText => {
  const counts = new Map<string, number>();
  let counted = 0;
  for (let i = first; i <= last && counted < MAX_COUNTED; i += 1) {
    if (model.marbles.lane[i] !== lane) continue;
    counted += 1;
    counts.set(nameOf(model, i), (counts.get(nameOf(model, i)) ?? 0) + 1);
  }
  const moment = (ms = 0) => toMoment(ms, model.story?.originMs);
  const names = [...counts].sort(([, a], [, b]) => b - a);
  const rest = names.length - MAX_NAMES;
  return {
    title: model.lanes[lane]?.title ?? '',
    lines: [`${moment(model.marbles.at[first])} to ${moment(model.marbles.until[last])}`],
    preview: [
      ...names.slice(0, MAX_NAMES).map(([name, many]) => `${many} × ${cut(name)}`),
      ...(rest > 0 ? [`and ${rest} more names`] : []),
    ].join('\n'),
  };
};
