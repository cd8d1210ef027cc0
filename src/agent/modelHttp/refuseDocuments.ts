/** Distinguishes a stream of events from a document, which some servers and proxies send with status 200. */
import type { MonoTypeOperatorFunction } from 'rxjs';
import type { ModelError } from '../../protocol/model/model';
import { gather } from '../../streams/gather';

/** @param maxChars how much of a document is read; `toFailure` makes the error of a document from its text, `toBroken` that of a text that breaks off */
export type RefuseDeps = { maxChars: number; toFailure: (text: string) => ModelError; toBroken: () => ModelError };

/** Before the first character, nothing is known; the text of a document is collected. */
type Reading = { kind: 'blank' } | { kind: 'stream' } | { kind: 'document'; text: string };

/** JSON and HTML begin like this; no line of an event stream does. */
const DOCUMENT = /^[\s\uFEFF]*[<{[]/;

/**
 * Passes the text of an event stream on. Errors with the failure of a document once it has ended or exceeds `maxChars`; any error of the source
 * becomes that of a text that breaks off.
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
