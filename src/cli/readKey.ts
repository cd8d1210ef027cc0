/** Reads a key from a stream, such as standard input. Own code: `node:stream/consumers` reads without a limit. */
import type { Readable } from 'node:stream';
import { from, map, type Observable, reduce } from 'rxjs';

const MAX_CHARS = 10_000;

/** Emits the key, without white space around it. Errors where there is none, or more than one line. */
export const readKey = (input: Readable): Observable<string> =>
  from(input as AsyncIterable<Buffer>).pipe(
    reduce((text, part) => (text + part.toString()).slice(0, MAX_CHARS), ''),
    map((text) => {
      const key = text.trim();
      if (key === '')
        throw new Error('there is no key on standard input: printenv OPENAI_API_KEY | codex-rx login --api-key');
      if (/\s/.test(key)) throw new Error('standard input holds more than a key; send the key alone');
      return key;
    }),
  );
