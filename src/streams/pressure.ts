/** Owns the port by which a sink slows its sources. */
import { EMPTY, type Observable } from 'rxjs';

/**
 * How long the queue towards a slow reader is. `isLong` is true while sources should wait; `drain$` emits
 * when the queue has emptied after that. A source looks after each chunk it passed on.
 */
export type Pressure = { isLong: () => boolean; drain$: Observable<unknown> };

/** A reader that is never slow. */
export const noPressure: Pressure = { isLong: () => false, drain$: EMPTY };
