/** Parses the lines of a session, each once. */
import { counter } from '../streams';
import { INPUT_ENDED, isOnWire, type NumberedEntry, type Session } from '../tape';
import { type ParsedLine, parseLine, type TapeMessage } from './parseLine';
import type { Side } from './sessionIndex';

/** A message as it is read, before it is related to others; see `IndexedMessage`. */
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
};

/** What an entry is: a line on the wire, the end of the client's input, or neither. */
export type ReadEntry = NumberedEntry & { messages: ReadMessage[] } & (
    | { kind: 'line'; from: Side; parsed: ParsedLine }
    | { kind: 'endOfInput' }
    | { kind: 'other' }
  );

const SIDES: Partial<Record<string, Side>> = { in: 'client', out: 'server' };

/** The entries of a session that are not blank, and the messages on the wire, both in their order. */
export const readEntries = ({ entries }: Session): { entries: ReadEntry[]; messages: ReadMessage[] } => {
  const messages: ReadMessage[] = [];
  const lineOf: Record<Side, () => number> = { client: counter(0), server: counter(0) };
  const read = (numbered: NumberedEntry, entry: number): ReadEntry => {
    const { lineNumber, entry: recorded } = numbered;
    const from = isOnWire(recorded) ? SIDES[recorded.dir] : undefined;
    if (isEndOfInput(numbered)) lineOf.client(); // it counts as a line of the client
    if (from === undefined) {
      return { ...numbered, kind: isEndOfInput(numbered) ? 'endOfInput' : 'other', messages: [] };
    }
    const parsed = parseLine(recorded.line);
    const place = { from, entry, line: lineOf[from](), t: recorded.t, lineNumber };
    const own = messagesOf(parsed).map((one, i) => ({ index: messages.length + i, ...place, ...one }));
    for (const one of own) messages.push(one);
    return { ...numbered, kind: 'line', from, parsed, messages: own };
  };
  return { entries: entries.filter(({ entry }) => entry.line.trim() !== '').map(read), messages };
};

const isEndOfInput = ({ entry }: NumberedEntry): boolean =>
  isOnWire(entry) && entry.dir === 'note' && entry.line === INPUT_ENDED;

const messagesOf = ({ messages, value }: ParsedLine): Pick<ReadMessage, 'message' | 'value' | 'part'>[] => {
  const parts = Array.isArray(value) && value.length > 0 ? value : [value];
  return messages.map((message, part) => ({
    message,
    value: parts[part],
    ...(messages.length > 1 && { part }),
  }));
};
