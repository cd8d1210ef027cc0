/** Owns the framing of Server-Sent Events; what the data means is the dialect's. */
import { createParser } from 'eventsource-parser';
import { concatMap, defer, type OperatorFunction } from 'rxjs';

/**
 * Turns the text of an event stream, cut anywhere, into the data of its events.
 * Emits each event's data; comments, `event:` and `id:` lines are dropped, as is an event the end cuts off.
 *   in  -a---b-|   (a 'data: 1\n\ndata: 2\n', b '\n')
 *   out -1---2-|
 * Source: WHATWG HTML 9.2.6; eventsource-parser 3.1.
 */
export const sse = (): OperatorFunction<string, string> => (text$) =>
  defer(() => {
    let found: string[] = [];
    const parser = createParser({ onEvent: ({ data }) => found.push(data) });
    return text$.pipe(
      concatMap((text) => {
        parser.feed(text);
        const data = found;
        found = [];
        return data;
      }),
    );
  });
