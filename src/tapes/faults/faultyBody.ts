/** Injects faults into the messages of HTTP responses: a JSON body is one message, an event stream has one in each event. */
import type { Readable, Writable } from 'node:stream';
import {
  concat,
  concatMap,
  connect,
  defer,
  EMPTY,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  type OperatorFunction,
  of,
  pipe,
} from 'rxjs';
import { toSingleLine } from '../../io/mcpHttp/readEvents';
import { fromReadable } from '../../io/stdio/fromInput';
import { backpressureOf } from '../../io/stdio/writeLines';
import { joinBackpressure } from '../../streams/backpressure';
import { decodeUtf8 } from '../../streams/bytes/decodeUtf8';
import { type Fate, fateText, serverLineName } from './faults';
import { MAX_QUEUE_BYTES, openGate } from './faultyPipe';
import { applyFates, type Decided, decideFates } from './injectFaults';

/** A message that is not passed as it is. */
type BodyFault = {
  /** Counts the messages of the response from 0. */
  message: number;
  /** What happens to it, as the tape has it. */
  injected: string;
};

/** A piece of a body: a message, and how a text in its place is written; or what passes as it is. */
type Piece =
  | { kind: 'line'; line: string; message: number; written: (text: string) => string }
  | { kind: 'raw'; text: string };

/** A longer body passes as it is. */
const MAX_CHARS = 67_108_864;

type FaultyBodyDeps = {
  /** The fate of the next message of the server, whatever the request. */
  next: () => Fate | undefined;
  remark: (text: string) => void;
};

/**
 * How a body of this type is passed; undefined if it has no messages. What is returned emits the faults, when the messages come, and completes when the last
 * byte is handed to `to`, which stays open. It never completes for a lost body, whose client waits for it.
 */
export const faultyBody =
  (deps: FaultyBodyDeps) =>
  (type: string): ((from: Readable, to: Writable) => Observable<BodyFault>) | undefined => {
    const isWhole = type.includes('json');
    if (!isWhole && !type.includes('text/event-stream')) return undefined;
    const pieces = isWhole ? toWhole() : toEvents();
    const lost = isWhole ? NEVER : EMPTY;
    return (from, to) => {
      const gate = openGate();
      return fromReadable<Uint8Array>(from, joinBackpressure(backpressureOf(to, MAX_QUEUE_BYTES), gate)).pipe(
        decodeUtf8(),
        pieces,
        decideFates(deps.next),
        connect((decided$) =>
          merge(
            decided$.pipe(concatMap(({ event, fate }) => toFault(event, fate))),
            decided$.pipe(mergeMap(({ fate }) => (fate?.kind === 'drop' ? lost : EMPTY))),
            decided$.pipe(writeFated(deps, gate.hold, to)),
          ),
        ),
      );
    };
  };

const lineOf = (piece: Piece): string => (piece.kind === 'line' ? piece.line : '');

const writeFated = (
  { remark }: FaultyBodyDeps,
  hold: ReturnType<typeof openGate>['hold'],
  to: Writable,
): OperatorFunction<Decided<Piece>, never> =>
  pipe(
    applyFates({
      nameOf: (piece, number) => serverLineName(lineOf(piece), number),
      hold: (piece, what) => hold({ line: lineOf(piece) }, what),
      stopped$: NEVER, // the end of the listener ends its responses
    }),
    mergeMap((event) => {
      if (event.kind === 'raw') to.write(event.text);
      else if (event.kind === 'line') to.write(event.written(event.line));
      else remark(event.text);
      return [];
    }),
  );

const toFault = (piece: Piece, fate: Fate | undefined): BodyFault[] => {
  const injected = fate && fateText(fate);
  return injected === undefined || piece.kind === 'raw' ? [] : [{ message: piece.message, injected }];
};

/** The whole text as one message; a text that is too long passes in pieces. */
const toWhole = (): OperatorFunction<string, Piece> => (text$) =>
  defer(() => {
    let kept = '';
    let isLong = false;
    const take = (text: string): Piece[] => {
      kept += text;
      isLong ||= kept.length > MAX_CHARS;
      const raw = isLong ? kept : '';
      if (isLong) kept = '';
      return raw === '' ? [] : [{ kind: 'raw', text: raw }];
    };
    const rest = (): Piece[] =>
      kept.trim() === ''
        ? [{ kind: 'raw', text: kept }]
        : [{ kind: 'line', line: kept, message: 0, written: (text) => text }];
    return concat(
      text$.pipe(concatMap(take)),
      defer(() => of(...rest())),
    );
  });

/** Ends an event. Source: WHATWG HTML 9.2.6. */
const BLANK = /\r\n\r\n|\n\n|\r\r/;
const BLANK_CHARS = 4;
/** A longer event passes as it is: it would be searched again with each of its pieces. */
const MAX_EVENT_CHARS = 4_194_304;

/** Each event that holds a message, and what is between them as it is. */
const toEvents = (): OperatorFunction<string, Piece> => (text$) =>
  defer(() => {
    let kept = '';
    let isLong = false; // the beginning of an event has passed
    let messages = 0;
    const take = (text: string): Piece[] => {
      const found: Piece[] = [];
      kept += text;
      for (let blank = BLANK.exec(kept); blank; blank = BLANK.exec(kept)) {
        const end = blank.index + blank[0].length;
        const event = kept.slice(0, end);
        const piece: Piece = isLong ? { kind: 'raw', text: event } : toPiece(event, messages);
        if (isLong || piece.kind === 'line') messages += 1;
        isLong = false;
        found.push(piece);
        kept = kept.slice(end);
      }
      if (kept.length <= MAX_EVENT_CHARS) return found;
      const raw = kept.slice(0, -BLANK_CHARS);
      kept = kept.slice(-BLANK_CHARS);
      isLong = true;
      return [...found, { kind: 'raw', text: raw }];
    };
    return concat(
      text$.pipe(concatMap(take)),
      defer(() => of<Piece>({ kind: 'raw', text: kept })),
    );
  });

/** @param message how many messages came before */
const toPiece = (event: string, message: number): Piece => {
  const lines = event.split(/\r\n|\n|\r/);
  const [name = 'message'] = valuesOf(lines, 'event');
  const line = toSingleLine(valuesOf(lines, 'data').join('\n'));
  if (line === undefined || name !== 'message') return { kind: 'raw', text: event };
  const rest = lines.filter((one) => one !== '' && !/^data(?::|$)/.test(one));
  const written = (text: string) => (text === line ? event : [...rest, `data: ${text}`, '', ''].join('\n'));
  return { kind: 'line', line, message, written };
};

const valuesOf = (lines: readonly string[], field: string): string[] =>
  lines.flatMap((line) => (line.startsWith(`${field}:`) ? [line.slice(field.length + 1).replace(/^ /, '')] : []));
