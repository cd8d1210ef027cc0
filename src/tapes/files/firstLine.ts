/** Writes the first line of a session on a tape, with space reserved for the names of client and server, which are known later. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { TapeFile } from '../format/tapeFile';
import { toTapeLine } from '../format/toTapeLine';

/** Bytes reserved for names and versions. */
const ROOM = 512;

/** `text` is the line to write; `rewrite` writes more members into its place where they fit. */
export type FirstLine = { text: string; rewrite: (more: JsonObject) => void };

const textOf = (meta: JsonObject): string => toTapeLine({ kind: 'meta', lineNumber: 1, meta }) as string;

/** Makes the line, for the end of the file; a pipe keeps the line that was written. */
export const firstLine = (file: TapeFile, meta: JsonObject): FirstLine => {
  if (!file.isFile) return { text: textOf(meta), rewrite: () => {} };
  const at = file.size();
  const text = textOf(meta) + ' '.repeat(ROOM);
  const length = Buffer.byteLength(text);
  const rewrite = (more: JsonObject): void => {
    const whole = textOf({ ...meta, ...more });
    const left = length - Buffer.byteLength(whole);
    if (left >= 0) file.overwrite(at, Buffer.from(whole + ' '.repeat(left)));
  };
  return { text, rewrite };
};
