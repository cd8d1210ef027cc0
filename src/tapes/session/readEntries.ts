/** Parses the lines of a session, each once. */
import { type ParsedLine, parseLine } from '../../protocol/jsonrpc/parseLine';
import { counter } from '../../streams/counter';
import { INPUT_ENDED, isOnWire, type NumberedEntry, type Session } from '../format/tape';
import type { IndexedMessage, Side } from './sessionIndex';

/** A message before it is related to others. */
export type ReadMessage = Omit<IndexedMessage, 'call' | 'owner' | 'thread'> & {
  /** Of the HTTP response, if it is an error. */
  readonly status?: number;
};

/** What an entry is: a line on the wire, the end of the client's input, or neither. */
export type ReadEntry = NumberedEntry & { messages: ReadMessage[] } & (
    | { kind: 'line'; from: Side; parsed: ParsedLine }
    | { kind: 'endOfInput' }
    | { kind: 'other' }
  );

/** A map, because `constructor`, which a tape may name as a direction, is a member of every object. */
const SIDES: ReadonlyMap<string, Side> = new Map([
  ['in', 'client'],
  ['out', 'server'],
]);

/** The entries of a session that are not blank, and the messages on the wire, both in their order. */
export const readEntries = ({ entries }: Session): { entries: ReadEntry[]; messages: ReadMessage[] } => {
  const messages: ReadMessage[] = [];
  const lineOf: Record<Side, () => number> = { client: counter(0), server: counter(0) };
  const read = (numbered: NumberedEntry, entry: number): ReadEntry => {
    const { lineNumber, entry: recorded } = numbered;
    const from = isOnWire(recorded) ? SIDES.get(recorded.dir) : undefined;
    if (from === undefined) {
      const isEnd = isOnWire(recorded) && recorded.dir === 'note' && recorded.line === INPUT_ENDED;
      const kind = isEnd ? 'endOfInput' : 'other';
      if (kind === 'endOfInput') lineOf.client(); // it counts as a line of the client
      return { lineNumber, entry: recorded, kind, messages: [] };
    }
    const parsed = parseLine(recorded.line);
    const { t, status } = recorded;
    const place = { from, entry, line: lineOf[from](), t, lineNumber, status };
    const first = messages.length;
    for (const one of messagesOf(parsed, place, first)) messages.push(one);
    return { lineNumber, entry: recorded, kind: 'line', from, parsed, messages: messages.slice(first) };
  };
  return { entries: entries.filter(({ entry }) => entry.line.trim() !== '').map(read), messages };
};

type Place = Omit<ReadMessage, 'index' | 'message' | 'value' | 'part'>;

/** @param first the index of the first message */
const messagesOf = ({ messages, value }: ParsedLine, place: Place, first: number): ReadMessage[] => {
  const { from, entry, line, t, lineNumber, status } = place;
  const values: unknown[] = Array.isArray(value) && value.length > 0 ? value : [value];
  return messages.map((message, at): ReadMessage => {
    const part = messages.length > 1 ? at : undefined;
    return { index: first + at, from, entry, line, part, t, lineNumber, message, value: values[at], status };
  });
};
