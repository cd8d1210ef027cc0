/** Decisions about what an agent asks permission to do. */
import type { JsonObject } from '../jsonrpc/json';

/** The possible decisions about a command or a patch, in Codex's own words. */
export const REVIEW_DECISIONS = ['approved', 'approved_for_session', 'denied', 'abort'] as const;
/** One of these decisions; `abort` declines and ends the turn. */
export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];

/** The answer to an approval request. */
export type ReviewResult = {
  decision: ReviewDecision;
  /** Set if no person decided. */
  reason?: string;
  /** The fields that a person filled in, for a request that is a form; for any other request, unrequested fields count as a decline. */
  form?: JsonObject;
  /** What the client's model wrote, for a sampling request; for any other request it counts as a decline. */
  sampled?: JsonObject;
};

/**
 * What an approval for the session covers: this call only; the same command while the files that it names keep their bytes; a tool, whatever its arguments.
 */
export type Coverage = 'once' | 'bytes' | 'tool';
