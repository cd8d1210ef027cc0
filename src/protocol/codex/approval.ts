/** Decisions about what an agent asks permission to do. */
import type { JsonObject } from '../jsonrpc/json';

/** The possible decisions about a command or a patch, in Codex's own words. */
export const DECISIONS = ['approved', 'approved_for_session', 'denied', 'abort'] as const;
/** One of these decisions; `abort` declines and ends the turn. */
export type ReviewDecision = (typeof DECISIONS)[number];

/**
 * The answer to an approval request. `reason` is set where no person decided. `form` holds the fields that a person filled in,
 * for a request that is a form; for any other request, fields it did not ask for count as a decline. `sampled` is what the client's model
 * wrote, where a sampling was requested; for any other request it counts as a decline too.
 */
export type ReviewResult = { decision: ReviewDecision; reason?: string; form?: JsonObject; sampled?: JsonObject };
