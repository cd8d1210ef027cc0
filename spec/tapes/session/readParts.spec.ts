import { entriesBetween, readParts } from '../../../src/tapes/session/readParts';

const entry = (t: number, message: object, dir: 'in' | 'out' = 'in') => ({
  lineNumber: t + 2,
  entry: { t, dir, line: JSON.stringify({ jsonrpc: '2.0', ...message }) },
});
const pings = [0, 1, 2, 3, 4, 5].map((t) => entry(t, { id: t, method: 'ping' }));

/** Reads them in parts of two entries. */
const between = (begin: number, end: number, maxChars: number) => {
  const { add, end: close } = readParts({ server: 's' }, entriesBetween({ begin, end }, maxChars), {
    entries: 2,
    chars: 1e6,
  });
  pings.forEach(add);
  return close();
};

describe('entriesBetween', () => {
  it('has each entry in that time once, over the parts, though requests without a response are in several', () => {
    expect(between(1, 4, 1e6)).toEqual({ meta: { server: 's' }, entries: pings.slice(1, 5), isCut: false });
  });

  it('keeps no more than fits, and marks that it was cut', () => {
    const { entries, isCut } = between(0, 5, 2 * (pings[0]?.entry.line.length ?? 0));
    expect([entries.length, isCut]).toEqual([2, true]);
  });
});
