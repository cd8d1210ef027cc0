/** Records the traffic that is relayed between a client and a server. */
import { isUtf8 } from 'node:buffer';
import {
  concat,
  concatMap,
  connect,
  defer,
  filter,
  ignoreElements,
  map,
  merge,
  type Observable,
  type OperatorFunction,
  takeWhile,
  tap,
} from 'rxjs';
import type { RelayEvent } from '../../io/processes/relayChild';
import { byFraming, cutFrames } from '../../streams/bytes/splitMessages';
import { cutBytes, toBuffer } from '../../streams/bytes/toBuffer';
import { ofKind } from '../../streams/ofKind';
import { type Entry, INPUT_ENDED, type LinesTape, type RecordedLine, type RecordedLines, SIGNAL_NOTE } from './tape';

/** How a recorded server ended. */
export type Ending = Extract<RelayEvent, { kind: 'exited' | 'failed' }>;
type Passing = Exclude<RelayEvent, Ending | { kind: 'signalled' }>;
/** A line that was not relayed as bytes, or a note. */
type SentLine = { kind: 'sent'; recorded: RecordedLine } | { kind: 'fault' };

/**
 * Writes the lines of both sides to the tape, and notes when the client's input ended, which signals it sent and how the server ended.
 * Emits how the server ended; completes and errors with the source.
 *   in   ccc-e-x|    (c chunks, e the end of input, x exited)
 *   tape l-l-n-x
 *   out  ------x|
 */
export const recordSession =
  (tape: LinesTape) =>
  (event$: Observable<RelayEvent | SentLine>): Observable<Ending> =>
    event$.pipe(
      connect((share$) =>
        merge(
          concat(
            share$.pipe(linesOf('in')),
            defer(() => [{ dir: 'note', line: INPUT_ENDED }]),
          ).pipe(tap(tape), ignoreElements()),
          share$.pipe(linesOf('out'), tap(tape), ignoreElements()),
          share$.pipe(linesOf('err'), tap(tape), ignoreElements()),
          share$.pipe(
            ofKind('sent'),
            tap(({ recorded }) => tape(recorded)),
            ignoreElements(),
          ),
          share$.pipe(
            ofKind('signalled'),
            tap(({ signal }) => tape({ dir: 'note', line: SIGNAL_NOTE + signal })),
            ignoreElements(),
          ),
          share$.pipe(
            filter((event): event is Ending => event.kind === 'exited' || event.kind === 'failed'),
            tap((event) => tape(toNote(event))),
          ),
        ),
      ),
    );

/** Completes at the end of its direction, so that an unfinished last line is recorded in its place. */
const linesOf =
  (dir: Passing['dir']) =>
  (event$: Observable<RelayEvent | SentLine>): Observable<RecordedLine | RecordedLines> =>
    event$.pipe(
      filter((event): event is Passing => 'dir' in event && event.dir === dir),
      takeWhile(({ kind }) => kind !== 'ended'),
      ofKind('chunk'),
      map(({ chunk }) => chunk),
      cutLines(),
      map((cut) => ({ dir, ...cut })),
    );

const toNote = (event: Ending): RecordedLine =>
  event.kind === 'exited'
    ? { dir: 'exit', line: JSON.stringify({ code: event.code, sig: event.signal }) }
    : { dir: 'note', line: `the server could not be started: ${event.reason}` };

/** A line as a tape keeps it. */
export type CutLine = Pick<Entry, 'line' | 'end' | 'bytes' | 'head'>;
/** Plain lines that came together. */
export type CutLines = Pick<RecordedLines, 'lines' | 'count'>;

const LF = 10;
const CR = 13;
/** Bytes. A longer line is recorded in parts, all but the last without a line end: its JSON may be six times longer, and strings have a limit. */
const LONGEST = 2 ** 26;

/**
 * Cuts chunks of any size into lines. Plain lines of a chunk stay together; CRLF and a last line without a line end are marked as such. Messages
 * whose headers name their length are lines with a `head`.
 * Emits each line once it is whole. Completes and errors with the source. `toBytes` turns the output into the input again.
 *   in  a-b\nc-|      (bytes: 'a', 'b\nc')
 *   out --x----(y|)   (x 'ab', y 'c' with end '')
 * @param longest bytes of a line that is recorded as one
 */
export const cutLines = ({ longest = LONGEST } = {}): OperatorFunction<Uint8Array, CutLine | CutLines> =>
  byFraming<CutLine | CutLines>({
    lines: cutAtLineEnds(longest),
    contentLength: (chunk$) =>
      chunk$.pipe(
        cutFrames(),
        concatMap(({ head, body }) => withHead(head, partsOf(body, longest))),
      ),
  });

const cutAtLineEnds =
  (longest: number): OperatorFunction<Uint8Array, CutLine | CutLines> =>
  (chunk$) =>
    defer(() => {
      let rest: Uint8Array[] = []; // of the line whose end has not come
      let length = 0; // of the rest
      const keep = (chunk: Uint8Array): void => {
        if (chunk.length > 0) rest.push(chunk);
        length += chunk.length;
      };
      const take = (last: Uint8Array): Uint8Array => {
        const whole = rest.length === 0 ? last : Buffer.concat([...rest, last]);
        [rest, length] = [[], 0];
        return whole;
      };
      const cut = (chunk: Uint8Array): readonly (CutLine | CutLines)[] => {
        const begun = rest.length === 0 ? 0 : chunk.indexOf(LF) + 1; // only the line that was begun is joined
        const behind = chunk.lastIndexOf(LF) + 1;
        const first = begun === 0 ? NOTHING : take(chunk.subarray(0, begun));
        keep(chunk.subarray(behind));
        const long = length >= longest ? partsOf(take(NOTHING), longest) : [];
        return [first, chunk.subarray(begun, behind)].flatMap((whole) => linesIn(whole, longest)).concat(long);
      };
      return concat(
        chunk$.pipe(concatMap(cut)),
        defer(() => partsOf(take(NOTHING), longest)),
      );
    });

const NOTHING = new Uint8Array();

/** Whole lines; plain lines stay together. */
const linesIn = (whole: Uint8Array, longest: number): readonly (CutLine | CutLines)[] => {
  const bytes = toBuffer(whole);
  if (bytes.length === 0) return [];
  if (bytes.length <= longest && isUtf8(bytes) && !bytes.includes('\r\n'))
    return [{ lines: whole, count: countLines(bytes) }];
  const lines: CutLine[] = [];
  for (let from = 0, to = 0; from < bytes.length; from = to) {
    to = bytes.indexOf(LF, from) + 1;
    lines.push(...partsOf(bytes.subarray(from, to), longest));
  }
  return lines;
};

/** How many line feeds there are. */
export const countLines = (bytes: Uint8Array): number => {
  let count = 0;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) count += 1;
  return count;
};

const partsOf = (line: Uint8Array, longest: number): readonly CutLine[] =>
  line.length === 0 ? [] : cutBytes(line, longest).map(toLine);

/** The lines of a message with headers; it may have no body. */
const withHead = (head: string, [first = { line: '', end: '' }, ...more]: readonly CutLine[]): readonly CutLine[] => [
  { ...(head !== '' && { head }), ...first },
  ...more,
];

const toLine = (whole: Uint8Array): CutLine => {
  const end = endOf(whole);
  const bytes = toBuffer(whole).subarray(0, whole.length - end.length);
  const line = bytes.toString('utf8');
  return {
    line,
    ...(end !== '\n' && { end }),
    ...(line.includes('\ufffd') && !Buffer.from(line).equals(bytes) && { bytes: bytes.toString('base64') }),
  };
};

const endOf = (whole: Uint8Array): string => {
  if (whole.at(-1) !== LF) return '';
  return whole.at(-2) === CR ? '\r\n' : '\n';
};

/** The bytes that lines were cut from. */
export const toBytes = (cut: CutLine | CutLines): Uint8Array => {
  if ('lines' in cut) return cut.lines;
  const { head = '', line, end = '\n', bytes } = cut;
  const body = bytes === undefined ? Buffer.from(line) : Buffer.from(bytes, 'base64');
  return Buffer.concat([Buffer.from(head, 'latin1'), body, Buffer.from(end)]);
};
