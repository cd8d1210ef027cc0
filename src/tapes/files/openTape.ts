/** Finds and writes the file of a tape that is recorded: of no other recorder, appended to, whole lines only, and whole up to a crash. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { lazy } from '../../streams/lazy';
import type { LinesTape, RecordedLine, RecordedLines, TapeFile } from '../format/tape';
import { toTapeLine, toTapeLines } from '../format/tapeLines';
import { trackParties } from '../session/parties';

/** What an open tape needs. */
export type TapeDeps = {
  /** In ms; never goes back. */
  now: () => number;
  /** Runs a function after the current work. */
  soon: (run: () => void) => void;
  /** Shows a sentence to the user. */
  remark: (text: string) => void;
};

/** A tape to write to. */
export type OpenTape = {
  tape: LinesTape;
  /** The time of a line that comes now, in ms, for a line that is written later with its own `t`. */
  elapsedMs: () => number;
  /** Writes the rest to the disk, once. Returns the size, and why the tape is incomplete, if it is. */
  close: () => { bytes: number; trouble?: string };
  /** Of the file: if the tape is not on a disk, wait for it. */
  settled$: TapeFile['settled$'];
};

/**
 * Begins a session at the end of the file, and writes its first line. Spaces at the end of that line leave room for the names of client and server,
 * which are written there once they are known. Lines of one instant are one write. When a write fails, one remark says so and the tape ends there.
 */
export const openTape = (file: TapeFile, meta: JsonObject, deps: TapeDeps): OpenTape => {
  const startMs = deps.now();
  const attempt = untilFailure(deps.remark);
  attempt.run(file.endLine);
  const lines = batchedLines(deps, appendingTo(file, deps.remark), attempt);
  const first = firstLine(file, meta);
  lines.add(() => Buffer.from(`${first.text}\n`));
  lines.flush();
  const partiesAfter = trackParties();
  const elapsedMs = () => Math.round((deps.now() - startMs) * 100) / 100;
  return {
    elapsedMs,
    settled$: file.settled$,
    tape: (recorded) => {
      const parties = partiesAfter(recorded);
      if (parties) attempt.run(() => first.rewrite(parties));
      lines.add(() => toBytes(elapsedMs(), recorded));
    },
    close: lazy(() => {
      lines.flush();
      attempt.run(file.sync);
      file.close();
      return { bytes: lines.bytes(), trouble: attempt.failure() };
    }),
  };
};

const toBytes = (t: number, recorded: RecordedLine | RecordedLines): Buffer =>
  'lines' in recorded
    ? toTapeLines(t, recorded)
    : Buffer.from(`${toTapeLine({ kind: 'entry', lineNumber: 0, entry: { t, ...recorded } })}\n`);

type Attempt = { run: (write: () => unknown) => void; failure: () => string | undefined };

/** Runs writes until one throws; the recorded session continues without the tape. */
const untilFailure = (remark: TapeDeps['remark']): Attempt => {
  let failure: string | undefined;
  return {
    run: (write) => {
      if (failure !== undefined) return;
      try {
        write();
      } catch (error) {
        failure = (error as Error).message;
        remark(`the tape ends here, the session continues: ${failure}`);
      }
    },
    failure: () => failure,
  };
};

/** If more than this comes in one instant, it is written in several writes. */
const MAX_WRITE_BYTES = 262_144;

const batchedLines = ({ soon }: TapeDeps, append: (bytes: Uint8Array) => void, attempt: Attempt) => {
  let batch: Uint8Array[] = [];
  let size = 0; // of the batch
  let written = 0;
  const flush = () =>
    attempt.run(() => {
      if (size === 0) return; // a full batch was written at once
      const bytes = Buffer.concat(batch);
      [batch, size] = [[], 0];
      append(bytes);
      written += bytes.length;
    });
  const add = (write: () => Uint8Array) => {
    if (attempt.failure() !== undefined) return;
    if (size === 0) soon(flush);
    const bytes = write();
    batch.push(bytes);
    size += bytes.length;
    if (size >= MAX_WRITE_BYTES) flush();
  };
  return { add, flush, bytes: () => written };
};

/** Appends bytes. Remarks once if the file grew by more than that: two recorders then mix their lines. */
const appendingTo = (file: TapeFile, remark: TapeDeps['remark']): ((bytes: Uint8Array) => void) => {
  let expected = file.size();
  return (bytes) => {
    const size = file.size();
    if (size > expected) {
      remark('another recorder writes to this tape as well, so their lines are mixed: name another file');
      expected = Number.POSITIVE_INFINITY;
    } else if (Number.isFinite(expected)) expected = size + bytes.length;
    file.append(bytes);
  };
};

/** Bytes reserved for names and versions. */
const ROOM = 512;

type FirstLine = {
  /** The line to write. */
  text: string;
  /** Writes more members into its place, if they fit. */
  rewrite: (more: JsonObject) => void;
};

const textOf = (meta: JsonObject): string => toTapeLine({ kind: 'meta', lineNumber: 1, meta }) as string;

/** Makes the first line of a session at the end of the file. In a pipe it cannot be rewritten. */
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

/** Locks a file. Returns how to release the lock; `taken` if another process has it; undefined if the file cannot be locked. */
export type TakeLock = (path: string) => (() => void) | 'taken' | undefined;

/** If more recorders run at once, the rest write to the named file itself. */
const MAX_TAPES = 1_000;

/**
 * The first free file of `tape.jsonl`, `tape-2.jsonl` and so on, and how to release it.
 * @param from the number of the first file to try, from 0
 */
export const lockFreeTape = (take: TakeLock, path: string, from: number): { path: string; release: () => void } => {
  for (let number = from; number < from + MAX_TAPES; number++) {
    const free = sessionPath(path, number);
    const release = take(free);
    if (release !== 'taken') return { path: free, release: release ?? (() => {}) };
  }
  return { path, release: () => {} };
};

/** The path of the tape of a session, counted from 0: the given path for the first, then `tape-2.jsonl` next to `tape.jsonl`, and so on. */
export const sessionPath = (path: string, session: number): string => {
  if (session === 0) return path;
  const [, stem = path, extension = ''] = /^(.*[^/])(\.[^./]+)$/.exec(path) ?? [];
  return `${stem}-${session + 1}${extension}`;
};
