/** Reads ages and sizes as a person writes them. */

const MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const BYTES: Readonly<Record<string, number>> = { '': 1, b: 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

/** `30d`, `12h`, `2w` in ms; undefined for any other text. */
export const readAge = (text: string): number | undefined => {
  const [, count, unit = ''] = /^(\d{1,9})(s|m|min|h|d|w)$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (MS[unit] ?? 1);
};

/** `500MB`, `2GB`, `1000000` in bytes; undefined for any other text. */
export const readSize = (text: string): number | undefined => {
  const [, count, unit = ''] = /^(\d{1,12}(?:\.\d{1,3})?) ?([kmgt]?)b?$/i.exec(text) ?? [];
  return count === undefined ? undefined : Math.round(Number(count) * (BYTES[unit.toLowerCase()] ?? 1));
};

/** The time that a text names, in ms since 1970: a date or a time in ISO 8601, or an age before now; undefined for any other text. */
export const readTime = (text: string, nowMs: number): number | undefined => {
  const age = readAge(text);
  if (age !== undefined) return nowMs - age;
  const ms = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
};
