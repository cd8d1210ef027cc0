/** Events of a process as one message: their bytes, and a header with the place of the first and what came before. */
import type { OperatorFunction } from 'rxjs';
import type { Exit, PlacedEvent, StoredEvent } from '../../executor/backend';
import type { OutputStream } from '../../protocol/exec/process';
import { type Accumulated, mapAccum } from '../../streams/gather';

/** Events with consecutive `seq`. */
export type EventBatch = {
  events: readonly StoredEvent[];
  /** How many bytes of output came before the first event. */
  bytesBefore: number;
  /** Set if the exit came before. */
  exit?: Exit;
};

export const EVENTS_HEADER = 'Codex-Rx-Events';

/** The pieces are the bytes of output. The header is `SEQ BYTES EVENT,… [SEQ:CODE]`: `17 4096 o512,e80,x0,c` has 512 bytes of stdout. */
export const encodeEvents = ({ events, bytesBefore, exit }: EventBatch): { header: string; pieces: Uint8Array[] } => {
  const marks = events.map(toMark).join(',');
  const tail = exit === undefined ? '' : ` ${exit.seq}:${exit.exitCode}`;
  return {
    header: `${events[0]?.seq ?? 0} ${bytesBefore} ${marks}${tail}`,
    pieces: events.flatMap((event) => (event.kind === 'output' ? [event.chunk] : [])),
  };
};

const LETTERS: Record<OutputStream, string> = { stdout: 'o', stderr: 'e', pty: 'p' };
const STREAMS: Record<string, OutputStream> = { o: 'stdout', e: 'stderr', p: 'pty' };

const toMark = (event: StoredEvent): string => {
  if (event.kind === 'output') return `${LETTERS[event.stream]}${event.chunk.length}`;
  return event.kind === 'exited' ? `x${event.exitCode}` : 'c';
};

const HEADER =
  /^(\d{1,16}) (\d{1,16}) ((?:[oep]\d{1,10}|x-?\d{1,10}|c)(?:,(?:[oep]\d{1,10}|x-?\d{1,10}|c))*)(?: (\d{1,16}):(-?\d{1,10}))?$/;

/** Far enough below the largest safe integer that counting on from there stays exact. */
const MAX_NUMBER = 2 ** 52;

/** Throws if the header is not of this shape, or does not fit the bytes. */
export const decodeEvents = (header: string, data: Uint8Array): EventBatch => {
  const [, seq = '', bytesBefore = '', marks = '', exitSeq, exitCode] = HEADER.exec(header) ?? [];
  const numbers = [seq, bytesBefore, exitSeq ?? ''].map(Number);
  if (seq === '' || numbers.some((number) => number > MAX_NUMBER))
    throw new Error(`a message of events has the invalid header ${JSON.stringify(header.slice(0, 80))}`);
  const cut = cutter(data);
  const events = marks.split(',').map((mark, i) => toEvent(mark, Number(seq) + i, cut));
  cut.end();
  return {
    events,
    bytesBefore: Number(bytesBefore),
    ...(exitSeq !== undefined && { exit: { seq: Number(exitSeq), exitCode: Number(exitCode) } }),
  };
};

const toEvent = (mark: string, seq: number, cut: Cutter): StoredEvent => {
  const letter = mark.slice(0, 1);
  const stream = STREAMS[letter];
  if (stream !== undefined) return { kind: 'output', seq, stream, chunk: cut.next(Number(mark.slice(1))) };
  return letter === 'x' ? { kind: 'exited', seq, exitCode: Number(mark.slice(1)) } : { kind: 'closed', seq };
};

/** Takes bytes from the front; `end` throws unless all were taken. */
type Cutter = { next: (length: number) => Uint8Array; end: () => void };

const cutter = (data: Uint8Array): Cutter => {
  let at = 0;
  return {
    next: (length) => {
      at += length;
      if (at > data.length) throw new Error('a message of events has fewer bytes than its header says');
      return data.subarray(at - length, at);
    },
    end: () => {
      if (at < data.length) throw new Error('a message of events has more bytes than its header says');
    },
  };
};

/**
 * Adds its place to each event.
 *   in  o-o-x-z     (o 10 bytes of output, x exited, z closed)
 *   out a-b-c-d     (a after 0 bytes, b after 10, c after 20, d after 20 and the exit)
 */
export const placeEvents = (): OperatorFunction<StoredEvent, PlacedEvent> => mapAccum(place, START);

type State = { bytes: number; exit: Exit | undefined };
const START: State = { bytes: 0, exit: undefined };

const place = ({ bytes, exit }: State, event: StoredEvent): Required<Accumulated<State, PlacedEvent>> => ({
  state: {
    bytes: bytes + (event.kind === 'output' ? event.chunk.length : 0),
    exit: event.kind === 'exited' ? { seq: event.seq, exitCode: event.exitCode } : exit,
  },
  output: exit === undefined ? { event, bytesBefore: bytes } : { event, bytesBefore: bytes, exit },
});

/** Consecutive events as one message. */
export const toBatch = (placed: readonly PlacedEvent[]): EventBatch => {
  const { bytesBefore = 0, exit } = placed[0] ?? {};
  return { events: placed.map(({ event }) => event), bytesBefore, ...(exit && { exit }) };
};

/** The events of a message with their places. */
export const fromBatch = ({ events, bytesBefore, exit }: EventBatch): PlacedEvent[] => {
  let state: State = { bytes: bytesBefore, exit };
  return events.map((event) => {
    const { state: next, output } = place(state, event);
    state = next;
    return output;
  });
};
