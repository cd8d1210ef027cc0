/** Decides which tapes of a folder are removed. */

/** A tape on the disk. */
export type StoredTape = {
  path: string;
  /** In a report. */
  name: string;
  bytes: number;
  /** In ms since 1970. */
  writtenMs: number;
  /** Tells the file from another one of this name. */
  inode: number;
};

/** Which tapes stay. A limit that is undefined does not count. */
export type PruneLimits = {
  maxAgeMs?: number;
  maxCount?: number;
  maxBytes?: number;
  /** So many of the newest stay, whatever the limits are. */
  keep: number;
};

/** The tapes beyond the limits, the oldest first. Of two with the same time, the first by name is the older one. */
export const toPrune = (tapes: readonly StoredTape[], limits: PruneLimits, nowMs: number): StoredTape[] => {
  const { maxAgeMs = Infinity, maxCount = Infinity, maxBytes = Infinity, keep } = limits;
  const newestFirst = tapes.toSorted((a, b) => b.writtenMs - a.writtenMs || (a.path < b.path ? 1 : -1));
  let bytes = 0;
  const removed = newestFirst.filter((tape, at) => {
    bytes += tape.bytes;
    return at >= keep && (nowMs - tape.writtenMs > maxAgeMs || at >= maxCount || bytes > maxBytes);
  });
  return removed.reverse();
};
