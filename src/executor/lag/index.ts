/** What a reader missed of a process, as it was slow or away: it is read again where it is retained, else its place is marked. */
export { type Hole, isInHole } from './hole';
export { inOrder } from './inOrder';
export { isLagged, LAGGED, type Lagged } from './lagged';
export { markGaps } from './markGaps';
export { type RecoverDeps, recoverLag } from './recoverLag';
