/** What all importers read and make. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import type { Entry, LineProblem } from '../format/tape';

/** A line of the file that holds an object. */
export type SourceLine = { lineNumber: number; value: JsonObject };

/** The `meta` of a session, and its first entries. */
type Imported = { meta: JsonObject; entries: Entry[] };

/** Makes the entries of a session. It is given the lines of a file twice, so that a large file is never in memory as a whole. */
export type Importer = {
  /** Takes a line at the first reading. */
  learn: (line: SourceLine) => void;
  /** What the session begins with; called between the readings. */
  begin: () => Imported;
  /** The entries of a line at the second reading. */
  read: (line: SourceLine) => Entry[];
  /** The entries after the last line. */
  end: () => Entry[];
};

/** Takes a line that cannot be used. */
export type Report = (problem: LineProblem) => void;

/** The latest time that a Date can hold. */
const MAX_MS = 8.64e15;

/** A time as files write it, in ms since 1970: ISO text, or a number of seconds, ms, µs or ns; undefined for anything else. */
export const toMs = (time: unknown): number | undefined => {
  const ms = typeof time === 'string' ? Date.parse(time) : typeof time === 'number' ? scaled(time) : Number.NaN;
  return Math.abs(ms) <= MAX_MS ? ms : undefined;
};

/** The unit follows from the size of the number: times in one unit are always smaller than times in the next unit. */
const scaled = (time: number): number => {
  if (time < 1e11) return time * 1e3;
  if (time < 1e14) return time;
  return time < 1e17 ? time / 1e3 : time / 1e6;
};
