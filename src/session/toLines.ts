/** Relates the lines of both sides to each other, which is what playing a session again goes by. */
import { type PairedCalls, requestOf } from './pairCalls';
import type { ReadEntry, ReadMessage } from './readEntries';
import type { ClientLine, ServerLine } from './sessionIndex';

/** The lines of both sides in their order. */
export type Lines = { clientLines: ClientLine[]; serverLines: ServerLine[] };

/** Makes lines of entries. A line of several messages is related by the first of them that is. */
export const toLines = (entries: readonly ReadEntry[], paired: PairedCalls): Lines => {
  const lines: Lines = { clientLines: [], serverLines: [] };
  for (const [index, entry] of entries.entries()) {
    const { lineNumber, entry: recorded } = entry;
    const place = { entry: index, lineNumber, t: recorded.t };
    if (entry.kind === 'endOfInput') {
      lines.clientLines.push({ ...place, kind: 'endOfInput', line: recorded.line, value: undefined, messages: [] });
    } else if (entry.kind === 'line' && entry.from === 'client') {
      const answers = firstOf(entry.messages, (one) => answeredLine(one, paired));
      lines.clientLines.push({ ...place, ...entry.parsed, kind: 'line', ...(answers !== undefined && { answers }) });
      if (answers !== undefined) markAnswered(lines, answers);
    } else if (entry.kind === 'line') {
      const owner = firstOf(entry.messages, (one) => ownerLine(lines, one, paired));
      const clientLinesBefore = lines.clientLines.length;
      const link = owner === undefined ? 'order' : 'named';
      const related = { owner: owner ?? clientLinesBefore - 1, link, clientLinesBefore } as const;
      lines.serverLines.push({ ...place, ...entry.parsed, ...related });
    }
  }
  return lines;
};

const firstOf = (messages: readonly ReadMessage[], find: (one: ReadMessage) => number | undefined) =>
  messages.map(find).find((line) => line !== undefined);

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
