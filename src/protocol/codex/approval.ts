/** Decisions about what an agent asks leave for. */
import type { JsonObject } from '../jsonrpc';

/** What may be decided about a command or a patch, in Codex's own words. */
export const DECISIONS = ['approved', 'approved_for_session', 'denied', 'abort'] as const;
/** One of these decisions; `abort` declines and ends the turn. */
export type ReviewDecision = (typeof DECISIONS)[number];

/**
 * The answer to an approval request. `reason` is set where no person decided. `form` holds the fields that a person filled in,
 * for a question that is a form; for any other question fields it did not ask for are a no. `sampled` is what the client's model wrote, where that
 * was asked for; to any other question it is a no too.
 */
export type ReviewResult = { decision: ReviewDecision; reason?: string; form?: JsonObject; sampled?: JsonObject };
