/** The framing of Server-Sent Events, with the names and ids of events, which resumption goes by. */
import { createParser } from 'eventsource-parser';
import { concatMap, defer, type OperatorFunction } from 'rxjs';

/** An event; `retryMs` came before it, and says how long to wait before a connection is opened again. */
export type ServerSentEvent = { event?: string; id?: string; data: string; retryMs?: number };

/**
 * Turns the text of an event stream, cut anywhere, into its events. An event that the end cuts off is dropped, as are comments.
 *   in  -a---b---|   (a 'id: 7\ndata: 1\n\nda', b 'ta: 2\n\n')
 *   out -A---B---|   (A { id: '7', data: '1' }, B { data: '2' })
 * Source: WHATWG HTML 9.2.6; eventsource-parser 3.1.
 */
export const readEvents = (): OperatorFunction<string, ServerSentEvent> => (text$) =>
  defer(() => {
    let found: ServerSentEvent[] = [];
    let retryMs: number | undefined; // of the next event
    const parser = createParser({
      onEvent: ({ event, id, data }) => {
        const named = { ...(event !== undefined && { event }), ...(id !== undefined && { id }), data };
        found.push(retryMs === undefined ? named : { ...named, retryMs });
        retryMs = undefined;
      },
      onRetry: (ms) => {
        retryMs = ms;
      },
    });
    return text$.pipe(
      concatMap((text) => {
        parser.feed(text);
        const events = found;
        found = [];
        return events;
      }),
    );
  });
