/** Parses the lines of a session, each once. */

import { type ParsedLine, parseLine, type TapeMessage } from '../../protocol/jsonrpc/parseLine';
import { counter } from '../../streams/counter';
import { isOnWire } from '../format/sessions';
import { type Entry, INPUT_ENDED, type NumberedEntry, type Session } from '../format/tape';
import type { Side } from './sessionIndex';

/** A message as it is read, before it is related to others; see `IndexedMessage`. `status` is that of the HTTP response, where it is an error. */
export type ReadMessage = {
  index: number;
  from: Side;
  entry: number;
  line: number;
  part?: number;
  t: number;
  lineNumber: number;
  message: TapeMessage;
  value: unknown;
  status?: number;
};

/** What an entry is: a line on the wire, the end of the client's input, or neither. */
export type ReadEntry = NumberedEntry & { messages: ReadMessage[] } & (
    | { kind: 'line'; from: Side; parsed: ParsedLine }
    | { kind: 'endOfInput' }
    | { kind: 'other' }
  );

/** A map, as a tape may name any direction: `constructor` is a member of every object. */
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
      const kind = isEndOfInput(numbered) ? 'endOfInput' : 'other';
      if (kind === 'endOfInput') lineOf.client(); // it counts as a line of the client
      return { lineNumber, entry: recorded, kind, messages: [] };
    }
    const parsed = parseLine(recorded.line);
    const place = { from, entry, line: lineOf[from](), t: recorded.t, lineNumber };
    const first = messages.length;
    for (const one of messagesOf(parsed, place, first)) messages.push(withStatus(one, recorded));
    return { lineNumber, entry: recorded, kind: 'line', from, parsed, messages: messages.slice(first) };
  };
  return { entries: entries.filter(({ entry }) => entry.line.trim() !== '').map(read), messages };
};

const withStatus = (one: ReadMessage, { status }: Entry): ReadMessage =>
  status === undefined ? one : { ...one, status };

const isEndOfInput = ({ entry }: NumberedEntry): boolean =>
  isOnWire(entry) && entry.dir === 'note' && entry.line === INPUT_ENDED;

type Place = Pick<ReadMessage, 'from' | 'entry' | 'line' | 't' | 'lineNumber'>;

/** Members are written out, which is faster than a spread: a tape has very many messages. @param first the index of the first message */
const messagesOf = ({ messages, value }: ParsedLine, place: Place, first: number): ReadMessage[] => {
  const { from, entry, line, t, lineNumber } = place;
  const [only] = messages;
  if (only !== undefined && messages.length === 1) {
    const single = Array.isArray(value) && value.length > 0 ? value[0] : value;
    return [{ index: first, from, entry, line, t, lineNumber, message: only, value: single }];
  }
  const parts = Array.isArray(value) ? value : [value];
  return messages.map((message, part) => ({
    index: first + part,
    from,
    entry,
    line,
    t,
    lineNumber,
    message,
    value: parts[part],
    part,
  }));
};
