/** The shapes of a tape: sessions as they went over the wire, one line of JSON for each line. */
import type { JsonObject } from '../../protocol/jsonrpc/json';

/** The version of the format that is written. */
export const TAPE_VERSION = 1;

/**
 * A line, or a fact about the session, without its time. `dir` is `in` (client to server), `out` (server to client), `err` (stderr), `note`
 * or `mark` (a remark), `exit` (how the server ended). `head` are headers before the line, which name its length. `seam` names the
 * interface where it was recorded, `mcp` when absent. `end` is what ended the line when that was not LF; `bytes` is base64 of a line that
 * is not UTF-8; `call` is the number that a request and its responses share at the seams `model` and `executor`. `status` is that of the
 * HTTP response with the line, where it is an error; `fault` are members of the error that ended a call.
 */
export type RecordedLine = {
  dir: string;
  line: string;
  seam?: string;
  end?: string;
  bytes?: string;
  call?: number;
  status?: number;
  head?: string;
  fault?: JsonObject;
};

/** Lines of one direction that came together, as their bytes: UTF-8, each line ended by LF and none by CRLF. `count` is their number. */
export type RecordedLines = { dir: string; lines: Uint8Array; count: number };

/** A recorded line at `t`, in ms since the session began. Other members are kept. */
export type Entry = JsonObject & RecordedLine & { t: number };

/** A line of a tape file, counted from 1. `bad` is a line that cannot be used, with its text; a `warning` is about the item before it. */
export type TapeItem =
  | { kind: 'meta'; lineNumber: number; meta: JsonObject }
  | { kind: 'entry'; lineNumber: number; entry: Entry }
  | { kind: 'bad'; lineNumber: number; reason: string; text: string }
  | { kind: 'warning'; lineNumber: number; reason: string };

/** What is wrong with a line of a file. */
export type LineProblem = { lineNumber: number; reason: string };
/** An entry and the number of its line in the file. */
export type NumberedEntry = { lineNumber: number; entry: Entry };

/** One session of a file. */
export type Session = { meta: JsonObject; entries: NumberedEntry[] };

/** Writes a line to the tape, which adds the time. It must not throw. */
export type Tape = (recorded: RecordedLine) => void;

/** A tape that takes lines together too. */
export type LinesTape = (recorded: RecordedLine | RecordedLines) => void;

/** The note that the client's input ended; other recorders of this format write the same. */
export const INPUT_ENDED = 'standard input closed';

/** The note of a daemon whose lines nobody reads any more. */
export const OUTPUT_CLOSED = 'standard output closed';

/** The beginning of the note that a signal asked the server to end; the name of the signal follows. */
export const SIGNAL_NOTE = 'signal ';
