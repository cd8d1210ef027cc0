/** Port: a model, and the error of a model that cannot answer. */
import type { Observable } from 'rxjs';
import type { ModelEvent } from './events';
import type { ModelRequest } from './request';

type AnswerLimits = {
  /** How often the request may be sent, including the first time. */
  maxRequests: number;
};

/** Sends one request to a model. Emits events, completes after `completed`; errors with ModelError. Unsubscribing aborts the request. */
export type Model = (request: ModelRequest, limits?: AnswerLimits) => Observable<ModelEvent>;

/** How often a request was sent, and whether the last attempt timed out. */
type Tried = { requests: number; timedOut: boolean };

/** A model could not answer; `retryable` is true if the same request may be sent again. */
export class ModelError extends Error {
  override name = 'ModelError';
  constructor(
    message: string,
    readonly retryable: boolean,
    readonly tried: Tried = { requests: 1, timedOut: false },
  ) {
    super(message);
  }
}
