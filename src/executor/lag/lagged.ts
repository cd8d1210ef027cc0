/** Marks that a reader missed events, because it was slow or disconnected. */

/** Some events did not reach the reader; how many may be unknown. */
export type Lagged = { kind: 'lagged' };

/** The value that stands in a stream for what was missed. */
export const LAGGED: Lagged = { kind: 'lagged' };

/** True for that value. */
export const isLagged = <T extends { kind: string }>(item: T | Lagged): item is Lagged => item.kind === 'lagged';
