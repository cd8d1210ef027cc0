/** Writes numbers for people. */

/** A time: `0.4 ms`, `12 ms`, `3.4 s`, `2 min 5 s`. */
export const toTime = (ms: number): string => {
  if (ms < 1) return `${Math.round(ms * 100) / 100} ms`;
  if (ms < 1000) return `${Math.round(ms * 10) / 10} ms`;
  if (ms < 60_000) return `${Math.round(ms / 10) / 100} s`;
  return toMinutes(ms);
};

/** A time of a minute or more, in whole seconds: `2 min 5 s`. */
const toMinutes = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** A count short enough for a marble: `999`, `1.2k`, `12k`. */
export const toShortCount = (count: number): string => {
  if (count < 1000) return String(count);
  return count < 10_000 ? `${Math.round(count / 100) / 10}k` : `${Math.round(count / 1000)}k`;
};

/** The smallest of the steps 1, 2, 5, 10, 20, 50 … and their decimal fractions that is not below `least`. */
export const niceStep = (least: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 0.001)));
  return ([1, 2, 5].find((nice) => nice * power >= least) ?? 10) * power;
};

/** A time in a picture: `12 ms`, `3.4 s`, `2 min 5 s`. */
export const durationOf = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${Math.round(ms / 100) / 10} s` : toMinutes(ms);
};
