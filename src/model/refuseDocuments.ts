/** Tells a stream of events from a document, which some servers and proxies answer with status 200. */
import { concat, filter, type MonoTypeOperatorFunction, map, of, scan } from 'rxjs';
import type { ModelError } from '../protocol/model';

/** @param maxChars how much of a document is read; @param toFailure the error of a document, by its text */
export type RefuseDeps = { maxChars: number; toFailure: (text: string) => ModelError };

/** Before the first character nothing is known; a document is collected. */
type Reading = { kind: 'blank' } | { kind: 'stream'; text: string } | { kind: 'document'; text: string };

/** JSON and HTML begin so, no line of an event stream does. */
const DOCUMENT = /^[\s\uFEFF]*[<{[]/;

/**
 * Passes the text of an event stream. Errors with the failure of a document once it has ended, or is longer than is read.
 *   in  -d-d-|     in  -h-h-|     (d of events, h of HTML)
 *   out -d-d-|     out -----#
 */
export const refuseDocuments =
  ({ maxChars, toFailure }: RefuseDeps): MonoTypeOperatorFunction<string> =>
  (text$) =>
    concat(text$, of(null)).pipe(
      scan(
        (reading: Reading, text: string | null): Reading => {
          if (reading.kind !== 'document') return text === null ? { kind: 'blank' } : begin(reading, text);
          const all = `${reading.text}${text ?? ''}`;
          if (text === null || all.length > maxChars) throw toFailure(all.slice(0, maxChars));
          return { kind: 'document', text: all };
        },
        { kind: 'blank' },
      ),
      filter((reading) => reading.kind === 'stream'),
      map(({ text }) => text),
    );

const begin = (reading: Reading, text: string): Reading => {
  if (reading.kind === 'stream') return { kind: 'stream', text };
  if (text.trim() === '') return reading;
  return { kind: DOCUMENT.test(text) ? 'document' : 'stream', text };
};
