/** What is read of a message: its readable contents (texts, images, the text of an error), and what the card at a marble or a cluster shows. */
import { messageIn, toNode } from './json';
import { toMoment, toTime } from './labels';
import { lineName, linesOf, type Model, nameOf } from './model';

/** A readable part of a message. */
export type Content =
  | { kind: 'text' | 'error'; text: string }
  /** The scheme of `url` is always `data`, and its type cannot hold a script. */
  | { kind: 'image'; url: string; type: string; bytes: number };

/** Bitmaps only: an SVG can be crafted so that drawing it takes any amount of time. */
const IMAGE = /^image\/(?:png|jpeg|jpg|gif|webp|avif|bmp)$/;
const DATA_URL = /^data:(image\/[a-z]+);base64,(.*)$/s;
const BASE64 = /^[A-Za-z0-9+/\s]+(?:={1,2}\s*)?$/;

const MAX_CONTENTS = 30;
const MAX_DEPTH = 12;
/** How many values are visited at most, so that a message of any size opens at once. */
const MAX_VALUES = 20_000;

type Members = Record<string, unknown>;

/** The contents of a message, in their order: content blocks, resources, data URLs of images, messages of errors. */
export const contentsOf = (message: unknown): Content[] => {
  const found: Content[] = [];
  let left = MAX_VALUES;
  const visit = (value: unknown, depth: number): void => {
    left -= 1;
    if (left < 0 || depth > MAX_DEPTH || found.length >= MAX_CONTENTS) return;
    if (typeof value === 'string') found.push(...imageOfUrl(value));
    if (typeof value !== 'object' || value === null) return;
    const own = Array.isArray(value) ? [] : contentOf(value as Members);
    found.push(...own);
    if (own.length === 0) for (const inner of Object.values(value)) visit(inner, depth + 1);
  };
  visit(message, 0);
  return [...errorOf(message), ...(isFailed(message) ? found.map(asError) : found)].slice(0, MAX_CONTENTS);
};

/** The text of a tool's result with `isError` is shown as an error. */
const asError = (content: Content): Content => (content.kind === 'text' ? { ...content, kind: 'error' } : content);

const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});

const isFailed = (message: unknown): boolean => membersOf(membersOf(message).result).isError === true;

const contentOf = ({ type, text, data, blob, mimeType, uri }: Members): Content[] => {
  const isBlock = type === 'text' || type === 'output_text' || type === 'input_text' || typeof uri === 'string';
  if (isBlock && typeof text === 'string' && text !== '') return [{ kind: 'text', text }];
  return typeof mimeType === 'string' ? toImage(mimeType, type === 'image' ? data : blob) : [];
};

const imageOfUrl = (text: string): Content[] => {
  const [, type = '', data] = text.startsWith('data:image/') ? (DATA_URL.exec(text) ?? []) : [];
  return toImage(type, data);
};

const toImage = (type: string, data: unknown): Content[] => {
  if (!IMAGE.test(type) || typeof data !== 'string' || !BASE64.test(data)) return [];
  return [{ kind: 'image', url: `data:${type};base64,${data}`, type, bytes: Math.floor(data.length * 0.75) }];
};

const errorOf = (message: unknown): Content[] => {
  const { message: text } = membersOf(membersOf(message).error);
  return typeof text === 'string' && text !== '' ? [{ kind: 'error', text }] : [];
};

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
