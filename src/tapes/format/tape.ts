/** The shapes of a tape: recorded sessions, a line of JSON for each line on the wire. */
import type { Observable } from 'rxjs';
import type { NamedFile } from '../../io/files/namedFile';
import type { JsonObject } from '../../protocol/jsonrpc/json';

/** The version of the format that is written. */
export const TAPE_VERSION = 1;

/** A line, or a fact about the session, without its time. */
export type RecordedLine = {
  /** `in` (client to server), `out` (server to client), `err` (stderr), `note` or `mark` (a remark), `exit` (how the server ended). */
  dir: string;
  line: string;
  /** The interface where it was recorded; default `mcp`. */
  seam?: string;
  /** What ended the line; default LF. */
  end?: string;
  /** Base64 of a line that is not UTF-8. */
  bytes?: string;
  /** The number that a request and its responses share at an inner seam. */
  call?: number;
  /** Of the HTTP response with the line, if it is an error. */
  status?: number;
  /** Headers before the line, which name its length. */
  head?: string;
  /** Members of the error that ended a call. */
  fault?: JsonObject;
  /** What the recorder did to the line on purpose, such as `is lost`; the line is as its sender sent it. Of a note: `crash` or `end`. */
  injected?: string;
};

/** Lines of one direction that came together. */
export type RecordedLines = {
  dir: string;
  /** Their bytes: UTF-8, each line ended by LF and none by CRLF. */
  lines: Uint8Array;
  count: number;
};

/** A recorded line at `t`, in ms since the session began. Other members are kept. */
export type Entry = JsonObject & RecordedLine & { t: number };

/** A line of a tape file; line numbers count from 1. */
export type TapeItem =
  | { kind: 'meta'; lineNumber: number; meta: JsonObject }
  | { kind: 'entry'; lineNumber: number; entry: Entry }
  /** A line that cannot be used, with its text. */
  | { kind: 'bad'; lineNumber: number; reason: string; text: string }
  /** About the item before it. */
  | { kind: 'warning'; lineNumber: number; reason: string };

/** What is wrong with a line of a file. */
export type LineProblem = { lineNumber: number; reason: string };
/** An entry and the number of its line in the file. */
export type NumberedEntry = { lineNumber: number; entry: Entry };

/** One session of a file. */
export type Session = { meta: JsonObject; entries: NumberedEntry[] };

/** Writes a line to the tape, which adds the time. It must not throw. */
export type Tape = (recorded: RecordedLine) => void;

/** A tape that also takes several lines at once. */
export type LinesTape = (recorded: RecordedLine | RecordedLines) => void;

/** The note that the client's input ended; other recorders of this format write the same. */
export const INPUT_ENDED = 'standard input closed';

/** The note of a daemon whose lines nobody reads any more. */
export const OUTPUT_CLOSED = 'standard output closed';

/** The beginning of the note that a signal asked the server to end; the name of the signal follows. */
export const SIGNAL_NOTE = 'signal ';

/** The sessions of a file in their order, and its problems. Entries before the first `meta` are a session too. */
export const toSessions = (items: readonly TapeItem[]): { sessions: Session[]; problems: LineProblem[] } => {
  const sessions: Session[] = [];
  const problems: LineProblem[] = [];
  for (const item of items) {
    if (item.kind === 'meta') sessions.push({ meta: item.meta, entries: [] });
    else if (item.kind === 'entry') {
      if (sessions.length === 0) sessions.push({ meta: {}, entries: [] });
      sessions.at(-1)?.entries.push({ lineNumber: item.lineNumber, entry: item.entry });
    } else problems.push({ lineNumber: item.lineNumber, reason: item.reason });
  }
  return { sessions, problems };
};

/** Finds the first line of a tape that cannot be read. A last line that was cut off is no damage: its recorder was ended. */
export const damageFinder = () => {
  let first: LineProblem | undefined;
  let latest: Extract<TapeItem, { kind: 'bad' }> | undefined;
  return {
    add: (item: TapeItem): void => {
      if (item.kind === 'warning') return;
      first ??= latest;
      latest = item.kind === 'bad' ? item : undefined;
    },
    found: (): LineProblem | undefined => first ?? (latest?.text.startsWith('{') ? undefined : latest),
  };
};

/** Whether a line was recorded between client and server, rather than at an inner seam. */
export const isOnWire = ({ seam }: { seam?: string }): boolean => seam === undefined || seam === 'mcp';

/** A tape on a disk or elsewhere. `append` copies the bytes, so that their buffer can be used again. */
export type TapeFile = Omit<NamedFile, 'fd'> & {
  /** Emits once after `close`, undefined if all bytes are stored, else the reason why some are not. Completes. */
  settled$: Observable<string | undefined>;
};

/** A tape cannot be used; the message has cause and remedy. */
export class TapeError extends Error {
  override name = 'TapeError';
}
