/** Owns what an importer is given and gives: lines of a foreign file, lines of a tape. */
import { isObject, type JsonObject } from '../../protocol/jsonrpc';
import type { Entry, Trouble } from '../tape';

/** A line of the file that holds an object. */
export type SourceLine = { lineNumber: number; value: JsonObject };

/** A session as it was understood; `notes` are lines that say nothing on the wire. */
export type Imported = { meta: JsonObject; entries: Entry[] };

/** The objects of a file, and what is wrong with its other lines. */
export const toSource = (lines: readonly string[]): { source: SourceLine[]; troubles: Trouble[] } => {
  const source: SourceLine[] = [];
  const troubles: Trouble[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const value = parse(line);
    if (isObject(value)) source.push({ lineNumber: index + 1, value });
    else troubles.push({ lineNumber: index + 1, reason: 'is no JSON object' });
  }
  return { source, troubles };
};

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/** The last moment that a Date can hold. */
const MAX_MS = 8.64e15;

/** Milliseconds of a time as files write it: ISO text, or a number of seconds, ms, µs or ns since 1970; undefined for others. */
export const toMs = (time: unknown): number | undefined => {
  const ms = typeof time === 'string' ? Date.parse(time) : typeof time === 'number' ? scaled(time) : Number.NaN;
  return Math.abs(ms) <= MAX_MS ? ms : undefined;
};

/** Times since 1970 differ by their unit so much that none can be taken for another. */
const scaled = (time: number): number => {
  if (time < 1e11) return time * 1e3;
  if (time < 1e14) return time;
  return time < 1e17 ? time / 1e3 : time / 1e6;
};
