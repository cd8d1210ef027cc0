/** What a check finds in a session. */

/** The rules; see docs/check.md. */
export const RULES = ['hung', 'unanswered', 'error', 'crash', 'noise', 'slow', 'forbidden', 'drift'] as const;
/** The name of a rule. */
export type Rule = (typeof RULES)[number];

/** `lineNumber` is the number of the line on the tape, 0 for a finding about the whole session; `what` names the request. */
export type Finding = { rule: Rule; lineNumber: number; what: string; text: string };

/** A tool as a server lists it. */
export type ListedTool = { name: string; definition: unknown };

/**
 * `allowed` rules find nothing; `slowMs` limits the 99th percentile of each method; `forbidden` matches names of tools; `baseline` are the
 * tools that the server must list.
 */
export type CheckOptions = {
  allowed: readonly Rule[];
  slowMs?: number;
  forbidden: readonly RegExp[];
  baseline?: readonly ListedTool[];
};

/** A session that was checked; `problem` is why it could not be. */
export type CheckedSession = { name: string; calls: number; findings: readonly Finding[]; problem?: string };
