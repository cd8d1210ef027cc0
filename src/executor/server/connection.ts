/** A connection of a client, as its session sees it. */
import type { Observable } from 'rxjs';
import type { Backpressure } from '../../streams/backpressure/backpressure';

/** The connection of a client. */
export type ClientConnection = {
  /** Of the queue to the client. */
  backpressure: Backpressure;
  /** Emits once whether the client is still connected. Default: always, as on stdio. */
  isAlive: () => Observable<boolean>;
};
