/**
 * Reads a Retry-After header, seconds or a date, as milliseconds from now; undefined when absent or unreadable.
 * Source: RFC 9110 10.2.3.
 */
export const toRetryAfterMs = (header: string | string[] | undefined, now: () => number): number | undefined => {
  const text = [header].flat()[0]?.trim();
  if (!text) return undefined;
  const waitMs = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : undefined;
};
