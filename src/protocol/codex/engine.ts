/** Ports: an engine of conversations, and how it reaches the person behind a call. */
import type { Observable } from 'rxjs';
import type { JsonObject } from '../jsonrpc/json';
import type { Event, TerminalAnswers } from './events';
import type { Asker, Op } from './operations';

/**
 * Asks the person behind a call, see `Asker`. The stream emits the question, then what `then` makes of the verdict.
 * `question` makes the item that carries the question's id. A verdict always comes: an error, a time-out and a client
 * that cannot be asked are verdicts with a reason.
 */
export type Ask = <T>(
  about: { callId: string } & Asker,
  question: (id: number) => T,
  then: (verdict: ReviewResult & { question?: number }) => Observable<T>,
) => Observable<T>;

/** One engine of conversations. Emits until every call has had its last event; unsubscribing stops all turns. */
export type Agent = (op$: Observable<Op>) => Observable<Event>;

/** Makes an engine; `ask` is how it asks the person behind a call. */
export type Engine = (ask: Ask) => Agent;

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
  /** The text of a file that the client has read or written, for a request about a file; for any other request it counts as a decline. */
  file?: string;
  /** What the client has answered to a request about a terminal; for any other request it counts as a decline. */
  terminal?: TerminalAnswers[keyof TerminalAnswers];
};
