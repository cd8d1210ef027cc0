/** Pairs what was recorded at inner seams: a call there has a number, which all its entries have. */
import type { Entry } from '../format/tape';
import type { ReadEntry } from './readEntries';
import type { CallOutcome, SeamCall } from './sessionIndex';

/** The calls in the order of their requests; `seamCall` is the call of an entry, by its index. */
export type PairedSeamCalls = { seamCalls: SeamCall[]; seamCall: (number | undefined)[] };

/** Pairs calls at inner seams: `in` is the request; the other entries with its number belong to the call, and the last of them ends it. */
export const pairSeamCalls = (entries: readonly ReadEntry[]): PairedSeamCalls => {
  const paired: PairedSeamCalls = { seamCalls: [], seamCall: [] };
  const latest = new Map<string, number>();
  for (const [index, { entry }] of entries.entries()) {
    const { seam = 'mcp', dir, call } = entry;
    if (seam === 'mcp') continue;
    const key = `${seam} ${call}`;
    if (dir === 'in') latest.set(key, paired.seamCalls.push({ seam, request: index, outcome: 'open' }) - 1);
    const found = dir === 'in' || call !== undefined ? latest.get(key) : undefined;
    if (found === undefined) continue;
    paired.seamCall[index] = found;
    const before = paired.seamCalls[found] as SeamCall;
    if (dir !== 'in') paired.seamCalls[found] = { ...before, last: index, outcome: seamOutcomeOf(entry) };
  }
  return paired;
};

/** The outcome of a call by its latest entry: an event or a note of an error fails it, the note `stopped` cancels it. */
export const seamOutcomeOf = ({ dir, line }: Pick<Entry, 'dir' | 'line'>): CallOutcome => {
  if (dir === 'in') return 'open';
  if (dir === 'out') return /^\{"(kind|type)":"(error|failed)"/.test(line) ? 'failed' : 'answered';
  return line === 'stopped' ? 'cancelled' : 'failed';
};
