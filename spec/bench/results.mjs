/** Owns the samples, and what they say: medians, ratios, targets. */

export const quantile = (values, q) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
};

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};

/** A figure with the digits that mean something. */
export const figure = (value) => {
  if (value === undefined || Number.isNaN(value)) return 'n/a';
  if (value >= 1000) return Math.round(value).toLocaleString('en-US');
  return value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2);
};

/** Collects samples and notes under the key of a row and the name of a server. */
export const collectResults = () => {
  const samples = new Map();
  const notes = new Map();
  const troubles = [];
  const at = (map, key, name, blank) => {
    const id = `${key}\u0000${name}`;
    if (!map.has(id)) map.set(id, blank());
    return map.get(id);
  };
  return {
    add: (key, name, value) => Number.isFinite(value) && at(samples, key, name, () => []).push(value),
    note: (key, name, text) => at(notes, key, name, () => new Set()).add(text),
    /** A crash, a hang or a wrong count: named in its row, and in the exit code. */
    trouble: (key, name, text) => {
      troubles.push({ key, name, text });
      at(notes, key, name, () => new Set()).add(text);
    },
    troubles,
    samplesOf: (key, name) => samples.get(`${key}\u0000${name}`) ?? [],
    notesOf: (key, name) => [...(notes.get(`${key}\u0000${name}`) ?? [])],
  };
};

const sides = { atMost: ['≤', (a, b) => a <= b], atLeast: ['≥', (a, b) => a >= b] };

/**
 * Judges one target of a row: { of, atMost | atLeast } is a ratio to another server, without `of` an absolute figure.
 * Gives { text, verdict } with verdict 'reached', 'not reached' or 'not measured'.
 */
export const judge = (target, mine, medianOf) => {
  const [side] = Object.keys(sides).filter((key) => target[key] !== undefined);
  const [sign, holds] = sides[side];
  const limit = target[side];
  const text = target.of ? `${sign} ${target.words ?? limit} × ${target.of}` : `${sign} ${limit}`;
  const other = target.of ? medianOf(target.of) : 1;
  if (mine === undefined || other === undefined) return { text, verdict: 'not measured' };
  const ratio = mine / other;
  const seen = target.of ? ` (${figure(ratio)} ×)` : '';
  return { text, verdict: `${holds(ratio, limit) ? 'reached' : 'not reached'}${seen}` };
};
