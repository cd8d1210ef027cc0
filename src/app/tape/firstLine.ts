/** Writes the first line of a session on a tape, with room for the names of client and server, which are known later. */
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import type { JsonObject } from '../../protocol/jsonrpc';
import { toTapeLine } from '../../tape';

/** Bytes of room for names and versions. */
const ROOM = 512;

/** `text` is the line to write; `rewrite` writes more members into its place where they fit. */
export type FirstLine = { text: string; rewrite: (more: JsonObject) => void };

const textOf = (meta: JsonObject): string => toTapeLine({ kind: 'meta', lineNumber: 1, meta }) as string;

/** Makes the line. @param fd of the open file at `path`; a pipe keeps the line that was written */
export const firstLine = (fd: number, path: string, meta: JsonObject): FirstLine => {
  const file = fstatSync(fd);
  if (!file.isFile()) return { text: textOf(meta), rewrite: () => {} };
  const text = textOf(meta) + ' '.repeat(ROOM);
  const length = Buffer.byteLength(text);
  const rewrite = (more: JsonObject): void => {
    const whole = textOf({ ...meta, ...more });
    const left = length - Buffer.byteLength(whole);
    if (left >= 0) overwrite(path, file, Buffer.from(whole + ' '.repeat(left)));
  };
  return { text, rewrite };
};

/** A descriptor for appending writes at the end only, so the file is opened once more; not where another file has its name. */
const overwrite = (path: string, { ino, size }: { ino: number; size: number }, bytes: Uint8Array): void => {
  const fd = openSync(path, 'r+');
  try {
    if (fstatSync(fd).ino === ino) writeSync(fd, bytes, 0, bytes.length, size);
  } finally {
    closeSync(fd);
  }
};
