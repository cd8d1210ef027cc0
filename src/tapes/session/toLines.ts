/** Relates the lines of both sides to each other, so that a session can be played again. */
import { type PairedCalls, requestOf } from './pairCalls';
import type { ReadEntry, ReadMessage } from './readEntries';
import type { ClientLine, ServerLine } from './sessionIndex';

/** The lines of both sides in their order. */
export type Lines = { clientLines: ClientLine[]; serverLines: ServerLine[] };

/** Makes lines of entries. A line of several messages is related by the first of them that is. */
export const toLines = (entries: readonly ReadEntry[], paired: PairedCalls): Lines => {
  const lines: Lines = { clientLines: [], serverLines: [] };
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'other') continue;
    if (entry.kind === 'line' && entry.from === 'server') addServerLine(lines, { entry, index }, paired);
    else addClientLine(lines, { entry, index }, paired);
  }
  return lines;
};

type Placed<K> = { entry: Extract<ReadEntry, { kind: K }>; index: number };

const NO_MESSAGES: ClientLine['messages'] = [];

/** Members are written out, here and below, which is faster than a spread: a tape has very many lines. */
const addClientLine = (lines: Lines, { entry, index }: Placed<'line' | 'endOfInput'>, paired: PairedCalls): void => {
  const { lineNumber, kind } = entry;
  const { t, line } = entry.entry;
  const parsed = entry.kind === 'line' ? entry.parsed : { line, value: undefined, messages: NO_MESSAGES };
  const client = {
    kind,
    entry: index,
    lineNumber,
    t,
    line: parsed.line,
    value: parsed.value,
    messages: parsed.messages,
  };
  const answers = firstOf(entry.messages, (one) => answeredLine(one, paired));
  lines.clientLines.push(answers === undefined ? client : { ...client, answers });
  if (answers !== undefined) markAnswered(lines, answers);
};

const addServerLine = (lines: Lines, { entry, index }: Placed<'line'>, paired: PairedCalls): void => {
  const { line, value, messages } = entry.parsed;
  const clientLinesBefore = lines.clientLines.length;
  const owner = firstOf(entry.messages, (one) => ownerLine(lines, one, paired));
  const { status } = entry.entry;
  const server: ServerLine = {
    entry: index,
    lineNumber: entry.lineNumber,
    t: entry.entry.t,
    line,
    value,
    messages,
    owner: owner ?? clientLinesBefore - 1,
    link: owner === undefined ? 'order' : 'named',
    clientLinesBefore,
  };
  lines.serverLines.push(status === undefined ? server : { ...server, status });
};

const firstOf = (messages: readonly ReadMessage[], find: (one: ReadMessage) => number | undefined) =>
  messages.length === 1 ? find(messages[0] as ReadMessage) : messages.map(find).find((line) => line !== undefined);

/** The server's line whose request a message of the client answers. */
const answeredLine = ({ index }: ReadMessage, paired: PairedCalls): number | undefined =>
  paired.calls[paired.owner[index] ?? -1]?.response === index ? requestOf(paired, index)?.line : undefined;

const markAnswered = ({ clientLines, serverLines }: Lines, answers: number): void => {
  const request = serverLines[answers];
  if (request) serverLines[answers] = { ...request, answeredBy: clientLines.length - 1 };
};

/** The client's line that a message of the server belongs to; a cancel of its own request goes with that request. */
const ownerLine = ({ serverLines }: Lines, { index }: ReadMessage, paired: PairedCalls): number | undefined => {
  const request = requestOf(paired, index);
  if (request?.from !== 'server') return request?.line;
  const requestLine = serverLines[request.line];
  return requestLine?.link === 'named' ? requestLine.owner : undefined;
};
