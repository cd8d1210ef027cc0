/** What a check finds in a session. */

/** The rules; see docs/check.md. */
export const RULES = [
  'hung',
  'unanswered',
  'error',
  'crash',
  'noise',
  'slow',
  'forbidden',
  'drift',
  'protocol',
] as const;
/** The name of a rule. */
export type Rule = (typeof RULES)[number];

/** What a rule found. */
export type Finding = {
  rule: Rule;
  /** The line on the tape; 0 for a finding about the whole session. */
  lineNumber: number;
  /** Names the request. */
  what: string;
  text: string;
};

/** A tool as a server lists it. */
export type ListedTool = { name: string; definition: unknown };

/** What is checked. */
export type CheckOptions = {
  /** Rules that find nothing. */
  allowed: readonly Rule[];
  /** Limits the 99th percentile of each method. */
  slowMs?: number;
  /** Match names of tools. */
  forbidden: readonly RegExp[];
  /** The tools that the server must list. */
  baseline?: readonly ListedTool[];
};

/** A session that was checked. */
export type CheckedSession = {
  name: string;
  /** How many calls it has. */
  calls: number;
  findings: readonly Finding[];
  /** Why it could not be checked. */
  problem?: string;
};
