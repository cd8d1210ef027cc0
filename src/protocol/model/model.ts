/** Port: a model, and the error of one that cannot answer. */
import type { Observable } from 'rxjs';
import type { ModelEvent } from './events';
import type { ModelRequest } from './request';

/**
 * Sends one request to a model.
 * Emits events, completes after `completed`; errors with ModelError. Unsubscribing aborts the request.
 */
export type Model = (request: ModelRequest) => Observable<ModelEvent>;

/** A model could not answer; `retryable` is true where the same request may be sent again. */
export class ModelError extends Error {
  override name = 'ModelError';
  constructor(
    message: string,
    readonly retryable: boolean,
  ) {
    super(message);
  }
}
