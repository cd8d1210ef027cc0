/** Ports: an engine of conversations, and how it reaches the person behind a call. */
import type { Observable } from 'rxjs';
import type { ReviewResult } from './approval';
import type { Event } from './events';
import type { Op } from './operations';

/**
 * Puts a question to the person behind a call, inside the stream that goes to it.
 * `question` makes the item that carries the id; `then` follows the verdict, which always comes: an error,
 * a time-out or a client that cannot be asked are verdicts with a reason.
 */
export type Ask = <T>(
  about: { callId: string; askable: boolean; cannotAsk?: string },
  question: (id: number) => T,
  then: (verdict: ReviewResult & { question?: number }) => Observable<T>,
) => Observable<T>;

/** One engine of conversations. Emits until every call had its last event; unsubscribing stops all turns. */
export type Agent = (op$: Observable<Op>) => Observable<Event>;

/** An engine before it knows whom to ask. */
export type Engine = (ask: Ask) => Agent;
