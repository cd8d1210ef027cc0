/** Random numbers that a seed repeats: mulberry32, which is enough for choosing among a few things. */

/** A number from 0 up to 1, and the next state. The first state is the seed. */
export const draw = (random: number): { value: number; next: number } => {
  const next = (random + 0x6d2b79f5) | 0;
  const a = Math.imul(next ^ (next >>> 15), next | 1);
  const b = a ^ (a + Math.imul(a ^ (a >>> 7), a | 61));
  return { value: ((b ^ (b >>> 14)) >>> 0) / 4_294_967_296, next };
};

/** Draws from a row of random numbers. */
export type Random = {
  /** A whole number from 0 up to `end`. */
  below: (end: number) => number;
  /** One of the items. */
  pick: <T>(items: readonly [T, ...T[]]) => T;
};

/** The row of a seed. */
export const randomOf = (seed: number): Random => {
  let state = seed | 0;
  const below = (end: number): number => {
    const { value, next } = draw(state);
    state = next;
    return Math.floor(value * end);
  };
  return { below, pick: (items) => items[below(items.length)] ?? items[0] };
};
