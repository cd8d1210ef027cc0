/** The port through which a slow sink slows its sources. */
import { EMPTY, type Observable } from 'rxjs';

/**
 * The queue towards a slow reader. `isFull` is true above its high-water mark, when sources should wait; `drain$` emits when
 * the queue has emptied after that. A source checks it after each chunk it has passed on.
 */
export type Backpressure = { isFull: () => boolean; drain$: Observable<unknown> };

/** A reader that is never slow. */
export const noBackpressure: Backpressure = { isFull: () => false, drain$: EMPTY };
