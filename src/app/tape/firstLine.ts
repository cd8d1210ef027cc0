/** Owns the first line of a session on a tape, which learns who talks only later and must stay where it is. */
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import type { JsonObject } from '../../protocol/jsonrpc';
import { toTapeLine } from '../../tape';

/** Bytes left for names and versions. */
const ROOM = 512;

/** `text` is what is written at first; `rewrite` puts more into its place, if there is room, and says nothing else. */
export type FirstLine = { text: string; rewrite: (more: JsonObject) => void };

const textOf = (meta: JsonObject): string => toTapeLine({ kind: 'meta', lineNumber: 1, meta }) as string;

/** @param fd the open file, which `path` names; what is no file, such as a pipe, keeps the line it got */
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

/** What is opened for appending writes at the end only, so the file is opened once more; not if it is another by now. */
const overwrite = (path: string, { ino, size }: { ino: number; size: number }, bytes: Uint8Array): void => {
  const fd = openSync(path, 'r+');
  try {
    if (fstatSync(fd).ino === ino) writeSync(fd, bytes, 0, bytes.length, size);
  } finally {
    closeSync(fd);
  }
};
