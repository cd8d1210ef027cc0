/** Owns the mark of a reader that was too slow, or was away. */

/** Some events did not reach us; how many, nobody may know. */
export type Lagged = { kind: 'lagged' };

export const LAGGED: Lagged = { kind: 'lagged' };

export const isLagged = <T extends { kind: string }>(item: T | Lagged): item is Lagged => item.kind === 'lagged';
