/** How the body of a response is read: as a stream of events, or as a whole. */
import { createParser } from 'eventsource-parser';
import {
  catchError,
  defaultIfEmpty,
  defer,
  EMPTY,
  type MonoTypeOperatorFunction,
  type OperatorFunction,
  scan,
  takeLast,
  takeUntil,
  takeWhile,
  tap,
  timer,
} from 'rxjs';
import { type JsonObject, parseJson, parseObject } from '../../protocol/jsonrpc/json';
import type { ModelError } from '../../protocol/model/model';
import type { Backpressure } from '../../streams/backpressure';
import { gather } from '../../streams/gather';
import { inputFirst, watchdog } from '../../streams/time/limits';
import { toTimerMs } from '../../streams/time/wait';
import { answerTooLong, eventTooLong, idleFailure } from './failures';
import { toErrorData } from './serverError';

const LIMIT_MS = 10_000;

/**
 * Joins the pieces of a body. A body that is huge, late or broken is read as far as it came.
 * Emits one text and completes at the end of the body, after 10 s, or with the piece that reaches `maxChars`; never errors.
 *   body  a-b-x
 *   out   ----(c|)   ab
 */
export const readBody =
  (maxChars: number): MonoTypeOperatorFunction<string> =>
  (text$) =>
    text$.pipe(
      catchError(() => EMPTY),
      takeUntil(timer(LIMIT_MS, inputFirst)),
      scan((all, text) => all + text, ''),
      takeWhile((all) => all.length < maxChars, true),
      takeLast(1),
      defaultIfEmpty(''),
    );

/** Longer than any event of a model; the text of an event that never ends must not fill the memory. In UTF-16 units. */
const MAX_EVENT_CHARS = 8_388_608;
/** The longest answers have some 200,000 tokens, each in an event of a few hundred characters; a text that never ends must not fill the memory either. */
const MAX_ANSWER_CHARS = 134_217_728;

/**
 * Turns the text of an event stream, split anywhere, into the data of its events.
 * Emits the data of all events that one piece of text completes; the end of the stream completes an event too. Comments, `event:` and `id:` lines are
 * dropped; so is data that the end cuts off. What a server writes as an event `error`, or in a line that is not of an event stream, is emitted
 * like data. Errors with ModelError if an event or the whole answer is too long.
 *   in  -a---b---|   (a 'data: 1\n\ndata: 2\n', b '\n\ndata: 3\n\n')
 *   out -A---B---|   (A ['1'], B ['2', '3'])
 * Source: WHATWG HTML 9.2.6; eventsource-parser 3.1. Gateways that close after the last line, and lines `error: {…}` of llama.cpp.
 */
export const sse = (maxAnswerChars = MAX_ANSWER_CHARS): OperatorFunction<string, readonly string[]> =>
  gather(() => {
    const read = readEvents();
    let chars = 0; // of the answer so far
    return {
      next: (text, emit) => {
        const data = read(chars === 0 ? text.replace(/^\uFEFF/, '') : text);
        chars += text.length;
        if (chars > maxAnswerChars) throw answerTooLong(maxAnswerChars);
        if (data.length > 0) emit(data);
      },
      end: (emit) => {
        const data = read('\n\n').filter(isWhole);
        if (data.length > 0) emit(data);
      },
    };
  });

/** Returns the data of the events that a piece of text completes. Throws ModelError for an event that is too long. */
const readEvents = (): ((text: string) => string[]) => {
  let found: string[] = [];
  let openChars = 0; // of the event that has not ended
  const parser = createParser({
    onEvent: ({ event, data }) => {
      if (event === 'error') found.push(toErrorData(data));
      else found.push(...dataIn(data));
      openChars = 0;
    },
    onComment: (comment) => {
      openChars -= comment.length;
    },
    onError: ({ type, field, value = '', line = '' }) => {
      if (type === 'unknown-field') found.push(field === 'error' ? toErrorData(value) : line);
    },
  });
  return (text) => {
    openChars += text.length;
    parser.feed(text);
    if (openChars > MAX_EVENT_CHARS) throw eventTooLong(MAX_EVENT_CHARS);
    const data = found;
    found = [];
    return data;
  };
};

/** Some servers send no blank line between their events. */
const dataIn = (data: string): string[] =>
  data.includes('\n') && parseJson(data) === undefined ? data.split('\n') : [data];

/** Data that the end has not cut off: JSON that can be read, or the mark of the end. */
const isWhole = (data: string): boolean => data.trim() === '[DONE]' || parseJson(data) !== undefined;

type RefuseDeps = {
  /** How much of a document is read. */
  maxChars: number;
  /** Makes the error of a document from its text. */
  toFailure: (text: string) => ModelError;
  /** Makes the error of a text that breaks off. */
  toBroken: () => ModelError;
};

/** Before the first character, nothing is known; the text of a document is collected. */
type Reading = { kind: 'blank' } | { kind: 'stream' } | { kind: 'document'; text: string };

/** JSON and HTML begin like this; no line of an event stream does. */
const DOCUMENT = /^[\s\uFEFF]*[<{[]/;

/**
 * Passes the text of an event stream on. Errors with the failure of a document once it has ended or exceeds `maxChars`, unless it is the whole answer of a
 * server that sends no stream: this becomes an event. Any error of the source becomes the error of a text that breaks off.
 *   in  -d-d-|     in  -h-h-|     in  -a-a-|      (d of events, h of HTML, a of an answer)
 *   out -d-d-|     out -----#     out -----(d|)
 */
export const refuseDocuments = ({ maxChars, toFailure, toBroken }: RefuseDeps): MonoTypeOperatorFunction<string> =>
  gather<string, string>(() => {
    let reading: Reading = { kind: 'blank' };
    const refuse = (text: string): never => {
      throw toFailure(text.slice(0, maxChars));
    };
    return {
      next: (text, emit) => {
        reading = read(reading, text);
        if (reading.kind === 'stream') emit(text);
        else if (reading.kind === 'document' && isTooLong(reading.text, maxChars)) refuse(reading.text);
      },
      end: (emit) => {
        if (reading.kind !== 'document') return;
        const answer = answerIn(reading.text);
        emit(answer === undefined ? refuse(reading.text) : `data: ${JSON.stringify(answer)}\n\n`);
      },
      fail: () => {
        throw toBroken();
      },
    };
  });

/** An object may be an answer, which is longer than an error. */
const isTooLong = (text: string, maxChars: number): boolean =>
  text.length > maxChars && (text.length > MAX_EVENT_CHARS || !/^[\s\uFEFF]*\{/.test(text));

/** The choices of Chat Completions, or the output of a response. */
const answerIn = (text: string): JsonObject | undefined => {
  const value = parseObject(text.replace(/^\uFEFF/, ''));
  return [value?.choices, value?.output].some((list) => Array.isArray(list) && list.length > 0) ? value : undefined;
};

const read = (reading: Reading, text: string): Reading => {
  if (reading.kind === 'stream') return reading;
  if (reading.kind === 'document') return { kind: 'document', text: reading.text + text };
  if (text.trim() === '') return reading;
  return DOCUMENT.test(text) ? { kind: 'document', text } : { kind: 'stream' };
};

type IdleLimit = {
  /** 0 means no limit. */
  idleMs: number;
  /** True while the client reads slowly. */
  isFull: Backpressure['isFull'];
  /** Time in ms, without jumps. */
  clockMs: () => number;
  /** The limit to name in the error; see idleFailure. */
  shownMs?: number;
};

/** A stream of nothing but comments, which some servers send while the model thinks, may go on this many times longer. */
const RESULTS_FACTOR = 3;

/**
 * Limits how long a stream may be silent. Passes what `read` makes of the source. Errors if the source is silent for too long, or if `read` makes
 * nothing of it for three times as long. The clock stands still while the client reads slowly, and while this process
 * does.
 *   in   a-- 300ms       in   a-c-c-c ...     (c yields nothing)
 *   out  A-- 300ms #     out  A-- 900ms #
 * A value only records the time: one timer checks it twice per `idleMs`, and when the time is up.
 * Source: Codex 0.28.0 `stream_idle_timeout_ms`, cases mh25 and mh26.
 */
export const idleTimeout =
  <T, R>({ idleMs, isFull, clockMs, shownMs }: IdleLimit, read: OperatorFunction<T, R>): OperatorFunction<T, R> =>
  (source$) => {
    if (idleMs <= 0) return source$.pipe(read);
    return defer(() => {
      let valueMs = clockMs(); // of the last value; a check that finds the client reading slowly counts as one
      let resultMs = valueMs;
      let dueMs = valueMs; // of the next check
      const look = (): number => {
        const nowMs = clockMs();
        const stoodMs = isFull() ? nowMs : nowMs - dueMs; // the process stood still for as long as the check is late
        valueMs = Math.min(nowMs, valueMs + stoodMs);
        resultMs = Math.min(nowMs, resultMs + stoodMs);
        const leftMs = Math.min(valueMs + idleMs, resultMs + idleMs * RESULTS_FACTOR) - nowMs;
        dueMs = nowMs + nextLookMs(leftMs, { idleMs, shownMs });
        return dueMs - nowMs;
      };
      return source$.pipe(
        tap(() => {
          valueMs = clockMs();
        }),
        read,
        watchdog({
          look,
          note: () => {
            resultMs = clockMs();
          },
        }),
      );
    });
  };

/** Twice within the limit, and when it is over. Throws if that is now. */
const nextLookMs = (leftMs: number, { idleMs, shownMs }: { idleMs: number; shownMs: number | undefined }): number => {
  if (leftMs <= 0) throw idleFailure(shownMs);
  return toTimerMs(Math.min(leftMs, Math.max(1, idleMs / 2)));
};
