/** Owns the file of a tape that is being written: private, appended to, whole lines only, safe when the process dies. */
import { closeSync, fchmodSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import type { JsonObject } from '../../protocol/jsonrpc';
import { trackParties } from '../../session';
import { type Tape, toTapeLine } from '../../tape';
import { firstLine } from './firstLine';

/** `now` is in ms and never goes back; `soon` runs something once the present work is done. */
export type TapeDeps = { now: () => number; soon: (run: () => void) => void; tell: (trouble: string) => void };

/** A tape to write on. `close` brings all of it to the disk and tells its size. */
export type OpenTape = { tape: Tape; close: () => { bytes: number; trouble?: string } };

/**
 * Opens a tape at the end of its file, which only its owner may read, and writes the first line of a session. Blanks at its
 * end leave room for who talks, which is written there once they have introduced themselves.
 * Lines of one instant leave in one write. When a write fails it is told once and the tape ends there.
 * Throws when the file cannot be opened.
 */
export const openTape = (path: string, meta: JsonObject, { now, soon, tell }: TapeDeps): OpenTape => {
  const fd = openPrivate(path);
  const startMs = now();
  const file = { batch: '', bytes: 0, trouble: undefined as string | undefined };
  const safely = (body: () => void) => {
    try {
      if (file.trouble === undefined) body();
    } catch (error) {
      file.trouble = (error as Error).message;
      tell(`the tape ends here, the session goes on: ${file.trouble}`);
    }
  };
  const flush = () =>
    safely(() => {
      const bytes = Buffer.from(file.batch);
      file.batch = '';
      if (!isAlone(bytes.length))
        tell('another recorder writes on this tape as well, so they are mixed: name another --out');
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      file.bytes += bytes.length;
    });
  const add = (line: string | undefined) => {
    if (file.batch === '') soon(flush);
    file.batch += `${line}\n`;
  };
  safely(() => endLine(fd, path));
  const isAlone = watchOthers(fd);
  const first = firstLine(fd, path, meta);
  add(first.text);
  flush();
  const meet = trackParties();
  return {
    tape: (said) => {
      const parties = meet(said);
      if (parties) safely(() => first.rewrite(parties));
      const t = Math.round((now() - startMs) * 100) / 100;
      add(toTapeLine({ kind: 'entry', lineNumber: 0, entry: { t, ...said } }));
    },
    close: () => {
      flush();
      safely(() => fstatSync(fd).isFile() && fsyncSync(fd));
      closeSync(fd);
      return { bytes: file.bytes, trouble: file.trouble };
    },
  };
};

const openPrivate = (path: string): number => {
  const fd = openSync(path, 'a', 0o600);
  if (fstatSync(fd).isFile()) fchmodSync(fd, 0o600);
  return fd;
};

/** Says false, once, when the file has grown by more than what is told to be written. */
const watchOthers = (fd: number): ((bytes: number) => boolean) => {
  const file = { due: fstatSync(fd).size };
  return (bytes) => {
    const { size } = fstatSync(fd);
    const isAlone = size <= file.due;
    file.due = isAlone && file.due < Number.POSITIVE_INFINITY ? size + bytes : Number.POSITIVE_INFINITY;
    return isAlone;
  };
};

/** A tape that was cut off, as when the disk was full, ends within a line: what comes now begins a new one. */
const endLine = (fd: number, path: string): void => {
  const file = fstatSync(fd);
  if (!file.isFile() || file.size === 0) return;
  const last = Buffer.alloc(1);
  const reading = openSync(path, 'r');
  try {
    readSync(reading, last, 0, 1, file.size - 1);
  } finally {
    closeSync(reading);
  }
  if (last.toString() !== '\n') writeSync(fd, '\n');
};
