/** Owns the shapes of a tape: one session as it went over the wire. How its lines are read and written is not here. */
import type { JsonObject } from '../protocol/jsonrpc';

/** The version of the format that is written. */
export const TAPE_VERSION = 1;

/**
 * Something that was said. `dir` is `in` (client to server), `out` (server to client), `err` (stderr), `note` or
 * `mark` (a remark), `exit` (how the server ended). `seam` names the joint it was heard at, `mcp` when absent. `end` is
 * what ended the line when that was not LF; `bytes` is base64 of a line that is no UTF-8; `call` joins what belongs to
 * one question at the seams `model` and `executor`.
 */
export type Said = { dir: string; line: string; seam?: string; end?: string; bytes?: string; call?: number };

/** Something that was said at `t`, in ms since the session began. Other members are kept. */
export type Entry = JsonObject & Said & { t: number };

/** A line of a tape file, which counts from 1. What cannot be used is `bad` and keeps its text; `warning` comes besides. */
export type TapeItem =
  | { kind: 'meta'; lineNumber: number; meta: JsonObject }
  | { kind: 'entry'; lineNumber: number; entry: Entry }
  | { kind: 'bad'; lineNumber: number; reason: string; text: string }
  | { kind: 'warning'; lineNumber: number; reason: string };

/** What is wrong with a line of a file. */
export type Trouble = { lineNumber: number; reason: string };
/** An entry and the line of the file that it stands in. */
export type NumberedEntry = { lineNumber: number; entry: Entry };

/** One session of a file. */
export type Session = { meta: JsonObject; entries: NumberedEntry[] };

/** Where a recorder puts what it hears; the time is the tape's. It must not throw. */
export type Tape = (said: Said) => void;

/** The note that a client's input ended; named as other recorders of this format do. */
export const INPUT_ENDED = 'standard input closed';
