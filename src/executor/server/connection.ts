/** A connection of a client, as its session sees it. */
import type { Observable } from 'rxjs';
import type { Backpressure } from '../../streams/backpressure';

/**
 * @param backpressure of the queue to the client
 * @param isAlive emits once whether the client is still there
 */
export type ClientConnection = { backpressure: Backpressure; isAlive: () => Observable<boolean> };
