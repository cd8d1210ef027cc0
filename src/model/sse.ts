/** The framing of Server-Sent Events; what their data means is the dialect's. */
import { createParser } from 'eventsource-parser';
import { defer, filter, map, type OperatorFunction } from 'rxjs';

/**
 * Turns the text of an event stream, cut anywhere, into the data of its events.
 * Emits the data of all events that one piece of text completes; comments, `event:` and `id:` lines are dropped, as is an
 * event that the end cuts off.
 *   in  -a---b---|   (a 'data: 1\n\ndata: 2\n', b '\n\ndata: 3\n\n')
 *   out -A---B---|   (A ['1'], B ['2', '3'])
 * Source: WHATWG HTML 9.2.6; eventsource-parser 3.1.
 */
export const sse = (): OperatorFunction<string, readonly string[]> => (text$) =>
  defer(() => {
    let found: string[] = [];
    const parser = createParser({ onEvent: ({ data }) => found.push(data) });
    return text$.pipe(
      map((text) => {
        parser.feed(text);
        const data = found;
        found = [];
        return data;
      }),
      filter((data) => data.length > 0),
    );
  });
