/** The framing of Server-Sent Events, with the names and ids of events, which resumption needs. */
import { createParser, type ParseError } from 'eventsource-parser';
import { concat, concatMap, defer, type OperatorFunction, reduce, throwError } from 'rxjs';

/** An event; `retryMs` came before it: how long to wait before a connection is reopened. */
export type ServerSentEvent = { event?: string; id?: string; data: string; retryMs?: number };

/** A server's event is too long to be read to its end. */
export class EventTooLong extends Error {
  override name = 'EventTooLong';
  constructor(maxChars: number) {
    super(`the server sent an event of more than ${maxChars} characters, which is not read`);
  }
}

/**
 * Turns the text of an event stream, split anywhere, into its events. An event that the end cuts off is dropped, as are comments. Errors with
 * EventTooLong at an event that is longer than `maxChars`, because nobody knows where it would end.
 *   in  -a---b---|   (a 'id: 7\ndata: 1\n\nda', b 'ta: 2\n\n')
 *   out -A---B---|   (A { id: '7', data: '1' }, B { data: '2' })
 * Source: WHATWG HTML 9.2.6; eventsource-parser 3.1.
 */
export const readEvents =
  (maxChars = MAX_CHARS): OperatorFunction<string, ServerSentEvent> =>
  (text$) =>
    defer(() => {
      const { feed, isTooLong } = eventReader(maxChars);
      return text$.pipe(
        concatMap((text) => {
          const events = feed(text);
          return isTooLong()
            ? concat(
                events,
                throwError(() => new EventTooLong(maxChars)),
              )
            : events;
        }),
      );
    });

/** `feed` returns the events that a piece of the text completes. */
const eventReader = (maxChars: number) => {
  let found: ServerSentEvent[] = [];
  let retryMs: number | undefined; // of the next event
  let tooLong = false;
  const parser = createParser({
    maxBufferSize: maxChars,
    onError: ({ type }: ParseError) => {
      tooLong ||= type === 'max-buffer-size-exceeded';
    },
    onEvent: ({ event, id, data }) => {
      const named = { ...(event !== undefined && { event }), ...(id !== undefined && { id }), data };
      found.push(retryMs === undefined ? named : { ...named, retryMs });
      retryMs = undefined;
    },
    onRetry: (ms) => {
      retryMs = ms;
    },
  });
  const feed = (text: string): ServerSentEvent[] => {
    found = [];
    parser.feed(text);
    return found;
  };
  return { feed, isTooLong: () => tooLong };
};

/** The longest text that is kept, in UTF-16 units: longer than any message, and much shorter than the longest possible string. */
const MAX_CHARS = 67_108_864;

/**
 * Emits all pieces as one text when the source completes; what comes after `maxChars` is dropped. Errors with the source.
 *   in   -a-b-|       (a 'x', b 'y')
 *   out  -----(T|)    (T 'xy')
 */
export const joinText = (maxChars = MAX_CHARS): OperatorFunction<string, string> =>
  reduce((all, piece) => (all.length >= maxChars ? all : (all + piece).slice(0, maxChars)), '');

/**
 * The text without its line breaks, which JSON has only between its tokens; undefined for a blank one.
 *   '{\n  "id": 1\n}' → '{ "id": 1 }'
 */
export const toSingleLine = (body: string): string | undefined => {
  const lines = body.split(/[\r\n]+/).map((line) => line.trim());
  return lines.filter((line) => line !== '').join(' ') || undefined;
};
