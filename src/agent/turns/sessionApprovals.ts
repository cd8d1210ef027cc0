/** What a person approved for as long as a thread lives. */

/** Things are named by keys; the asking tool makes the keys. */
export type SessionApprovals = { has: (key: string) => boolean; add: (key: string) => void };

/**
 * An empty set of approvals, for one thread. It is changed in place, because an answer counts at once for the calls that
 * run beside the one that was asked about.
 */
export const sessionApprovals = (): SessionApprovals => {
  const keys = new Set<string>();
  return { has: (key) => keys.has(key), add: (key) => void keys.add(key) };
};
