/** Reads a patch that is to be applied by hand. */
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { defer, from, type Observable } from 'rxjs';

const STDIN = '-';

/** Emits the text of a file, or of `stdin` for `-`, and completes. Errors with the error of the system. */
export const readPatch = (stdin: Readable, file: string): Observable<string> =>
  defer(() => from(file === STDIN ? readAll(stdin) : readFile(file, 'utf8')));

const readAll = async (stdin: Readable): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
};
