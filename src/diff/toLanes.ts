/** Splits a session into lanes: for each line of the client, what the server sent because of it. */
import {
  type ClientLine,
  hidesMessage,
  ignoresLabel,
  joinDeltas,
  labelOf,
  type Masks,
  replaceHandles,
  type ServerLine,
  type SessionIndex,
  serverLabelOf,
  type TapeMessage,
  toCanonical,
  toHandles,
  toMask,
  toMatched,
  withoutRequestNames,
} from '../session';
import { parseTexts } from './parseTexts';

/** A line of the server as it is compared; `text` is its value as one text. */
export type Compared = { lineNumber: number; value: unknown; text: string; label: string };

/** The server lines that belong to a client line, or those that belong to none. */
export type Lane = { key: string; label: string; lineNumber: number; lines: readonly Compared[] };

type Mask = (message: unknown) => unknown;

/** Handles of one session are compared by where they were issued. */
const maskOf = (index: SessionIndex, masks: Masks): Mask => {
  const mask = toMask(masks);
  if (!masks.names.includes('handle')) return (message) => mask(parseTexts(message));
  const handles = toHandles(index);
  return (message) => mask(parseTexts(replaceHandles(handles, message, ({ origin }) => `<handle ${origin}>`)));
};

/** Key of the lane of what belongs to no client line. */
const FREE = 'free';

/** The lanes of a session, what the masks hide replaced by placeholders. */
export const toLanes = (index: SessionIndex, masks: Masks): Lane[] => {
  const mask = maskOf(index, masks);
  const lines = new Map<number, Compared[]>();
  for (const line of index.serverLines) {
    if (!isCompared(line, masks)) continue;
    const owner = line.link === 'named' ? line.owner : -1;
    const lane = lines.get(owner) ?? [];
    lines.set(owner, lane);
    lane.push(toCompared(line, mask));
  }
  const joined = (owner: number): Compared[] => joinDeltas(lines.get(owner) ?? []).map(withText);
  return [
    ...keyedLines(index, mask).flatMap(([key, { lineNumber, messages }, owner]) => {
      const label = labelOf(messages[0]);
      const isIgnored = ignoresLabel(masks.ignored, [...methodsOf(messages[0]), label]);
      return isIgnored ? [] : [{ key, label, lineNumber, lines: joined(owner) }];
    }),
    { key: FREE, label: 'what belongs to no request', lineNumber: 0, lines: joined(-1) },
  ];
};

/** The lines of the client; the n-th of one meaning has a key of its own. */
const keyedLines = ({ clientLines }: SessionIndex, mask: Mask): [key: string, line: ClientLine, index: number][] => {
  const counts = new Map<string, number>();
  return [...clientLines.entries()].flatMap(([index, line]) => {
    if (line.kind === 'endOfInput') return [];
    const key = line.messages.map((message) => keyOf(line, message, mask)).join(' ');
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return [[`${key} ${count}`, line, index]];
  });
};

const isCompared = ({ messages: [message] }: ServerLine, masks: Masks): boolean =>
  !(message && 'method' in message && hidesMessage(masks, message.method)) &&
  !ignoresLabel(masks.ignored, [...methodsOf(message), serverLabelOf(message)]);

const methodsOf = (message: TapeMessage | undefined): string[] =>
  message && 'method' in message ? [message.method] : [];

const toCompared = ({ lineNumber, line, value, messages }: ServerLine, mask: Mask): Compared => ({
  lineNumber,
  value: mask(value === undefined ? line : withoutRequestNames(value)),
  text: '',
  label: serverLabelOf(messages[0]),
});

const withText = (line: Compared): Compared => ({ ...line, text: toCanonical(line.value) });

const keyOf = ({ line }: ClientLine, message: TapeMessage, mask: Mask): string => {
  if ('method' in message)
    return `${message.kind} ${message.method} ${toCanonical(withoutIds(mask({ params: toMatched(message.params) })))}`;
  return message.kind === 'response' ? `response ${toCanonical(mask(message.body))}` : line;
};

const withoutIds = (message: unknown): unknown => (withoutRequestNames(message) as { params: unknown }).params;
