/** Ports: an engine of conversations, and how it reaches the person behind a call. */
import type { Observable } from 'rxjs';
import type { ReviewResult } from './approval';
import type { Event } from './events';
import type { Op } from './operations';

/**
 * Asks the person behind a call. The stream emits the question, then what `then` makes of the verdict.
 * `question` makes the item that carries the question's id. A verdict always comes: an error, a time-out and a client
 * that cannot be asked are verdicts with a reason.
 */
export type Ask = <T>(
  about: { callId: string; askable: boolean; cannotAsk?: string },
  question: (id: number) => T,
  then: (verdict: ReviewResult & { question?: number }) => Observable<T>,
) => Observable<T>;

/** One engine of conversations. Emits until every call has had its last event; unsubscribing stops all turns. */
export type Agent = (op$: Observable<Op>) => Observable<Event>;

/** Makes an engine; `ask` is how it asks the person behind a call. */
export type Engine = (ask: Ask) => Agent;
