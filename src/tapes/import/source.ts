/** The input and the output of an importer: lines of a foreign file, entries of a tape. */
import type { JsonObject } from '../../protocol/jsonrpc/json';
import { parseObject } from '../../protocol/jsonrpc/json';
import type { Entry, LineProblem } from '../format/tape';

/** A line of the file that holds an object. */
export type SourceLine = { lineNumber: number; value: JsonObject };

/** What an importer makes: the `meta` of a session, and its entries. */
export type Imported = { meta: JsonObject; entries: Entry[] };

/** The objects of a file, and a problem for each line that is neither an object nor blank. */
export const toSource = (lines: readonly string[]): { source: SourceLine[]; problems: LineProblem[] } => {
  const source: SourceLine[] = [];
  const problems: LineProblem[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const value = parseObject(line);
    if (value !== undefined) source.push({ lineNumber: index + 1, value });
    else problems.push({ lineNumber: index + 1, reason: 'is not a JSON object' });
  }
  return { source, problems };
};

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
