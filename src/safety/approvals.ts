/** Owns the memory of what a human approved for a session. It is a value: whoever keeps it keeps it in a scan. */

/** A command as it would be run; `cwd` is absolute. */
export type Placed = { argv: readonly string[]; cwd: string };

/** Commands approved for the session. Never changed, only replaced. */
export type Approvals = ReadonlySet<string>;

const keyOf = ({ argv, cwd }: Placed): string => JSON.stringify([cwd, ...argv]);

/** What a new session remembers: nothing. */
export const noApprovals: Approvals = new Set();

/** The approvals with one more. Source: Codex 0.28.0 remembers the exact argv; the cwd is ours, `rm -r .` is not the same elsewhere. */
export const addApproval = (approvals: Approvals, placed: Placed): Approvals => new Set(approvals).add(keyOf(placed));

/** True if exactly this argv was approved in exactly this cwd. */
export const hasApproval = (approvals: Approvals, placed: Placed): boolean => approvals.has(keyOf(placed));
