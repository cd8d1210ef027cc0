/** Faults of a server as a row of marbles: what becomes of each line that it sends. */
import { tokenize } from '../../streams/text/words';

/** What becomes of a line. `afterMs` is how long it waits before that. */
export type LineFault = { kind: 'pass' | 'drop' | 'double' | 'cut' | 'random'; afterMs: number };

/** `crash` and `end` take the place of a line; `crash` is not an orderly end. */
export type Fault = LineFault | { kind: 'crash' | 'end'; afterMs: number };

/** `again` starts over after the last fault; otherwise all further lines pass. */
export type Faults = { faults: readonly Fault[]; repeat: 'once' | 'again' };

const SIGNS: Readonly<Record<string, Fault['kind']>> = {
  '-': 'pass',
  x: 'drop',
  D: 'double',
  c: 'cut',
  '?': 'random',
  '#': 'crash',
  '|': 'end',
};

const PIECE = /(\d+(?:\.\d+)?)(ms|s|m)|([-xDc?#|])/gy;
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

/**
 * Reads faults; undefined for a text that is no row of faults. A time at the end is that of a line that passes.
 *   ---x-2s-D    (three lines pass, one is lost, one passes, one passes after 2 s, one comes twice)
 */
export const readFaults = (text: string): Faults | undefined => {
  const row = text.replace(/\*$/, '');
  const faults: Fault[] = [];
  let afterMs = 0;
  for (const [, count, unit, sign] of tokenize(PIECE, row) ?? []) {
    if (sign === undefined) afterMs += Number(count) * (UNITS[unit ?? ''] ?? 1);
    else {
      faults.push({ kind: SIGNS[sign] as Fault['kind'], afterMs });
      afterMs = 0;
    }
  }
  if (afterMs > 0) faults.push({ kind: 'pass', afterMs });
  if (faults.length === 0) return undefined;
  return { faults, repeat: row === text ? 'once' : 'again' };
};
