/** How the body of a response is read: as a stream of events, or as a whole. */
import { createParser } from 'eventsource-parser';
import {
  catchError,
  defaultIfEmpty,
  EMPTY,
  type MonoTypeOperatorFunction,
  type OperatorFunction,
  scan,
  takeLast,
  takeUntil,
  takeWhile,
  timer,
} from 'rxjs';
import type { ModelError } from '../../protocol/model/model';
import { gather } from '../../streams/gather';
import { answerTooLong, eventTooLong } from './failures';

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
      takeUntil(timer(LIMIT_MS)),
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
 * Emits the data of all events that one piece of text completes; comments, `event:` and `id:` lines are dropped, as is an
 * event that the end cuts off. Errors with ModelError if an event or the whole answer is too long.
 *   in  -a---b---|   (a 'data: 1\n\ndata: 2\n', b '\n\ndata: 3\n\n')
 *   out -A---B---|   (A ['1'], B ['2', '3'])
 * Source: WHATWG HTML 9.2.6; eventsource-parser 3.1.
 */
export const sse = (maxAnswerChars = MAX_ANSWER_CHARS): OperatorFunction<string, readonly string[]> =>
  gather(() => {
    let found: string[] = [];
    let openChars = 0; // of the event that has not ended
    let chars = 0; // of the answer so far
    const parser = createParser({
      onEvent: ({ data }) => {
        found.push(data);
        openChars = 0;
      },
      onComment: (comment) => {
        openChars -= comment.length;
      },
    });
    return {
      next: (text, emit) => {
        openChars += text.length;
        chars += text.length;
        if (chars > maxAnswerChars) throw answerTooLong(maxAnswerChars);
        parser.feed(text);
        if (openChars > MAX_EVENT_CHARS) throw eventTooLong(MAX_EVENT_CHARS);
        const data = found;
        found = [];
        if (data.length > 0) emit(data);
      },
    };
  });

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
 * Passes the text of an event stream on. Errors with the failure of a document once it has ended or exceeds `maxChars`; any error of the source
 * becomes the error of a text that breaks off.
 *   in  -d-d-|     in  -h-h-|     (d of events, h of HTML)
 *   out -d-d-|     out -----#
 */
export const refuseDocuments = ({ maxChars, toFailure, toBroken }: RefuseDeps): MonoTypeOperatorFunction<string> =>
  gather(() => {
    let reading: Reading = { kind: 'blank' };
    const refuse = (isOver: boolean): void => {
      if (reading.kind !== 'document') return;
      if (isOver || reading.text.length > maxChars) throw toFailure(reading.text.slice(0, maxChars));
    };
    return {
      next: (text, emit) => {
        reading = read(reading, text);
        if (reading.kind === 'stream') emit(text);
        else refuse(false);
      },
      end: () => refuse(true),
      fail: () => {
        throw toBroken();
      },
    };
  });

const read = (reading: Reading, text: string): Reading => {
  if (reading.kind === 'stream') return reading;
  if (reading.kind === 'document') return { kind: 'document', text: reading.text + text };
  if (text.trim() === '') return reading;
  return DOCUMENT.test(text) ? { kind: 'document', text } : { kind: 'stream' };
};
